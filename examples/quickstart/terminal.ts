import type { NodeHit } from '@vizprompt/core';

const isTerminal = process.stdout.isTTY && !process.env['NO_COLOR'];

function style(code: number, text: string): string {
  return isTerminal ? `\u001b[${code}m${text}\u001b[0m` : text;
}

export function title(text: string): void {
  console.log(`\n${style(1, text)}`);
}

/** Returns a bar on a terminal, nothing elsewhere. */
export function progressBar(): { show(done: number, total: number): void; end(): void } {
  let isShown = false;
  return {
    show(done, total) {
      if (!isTerminal || total === 0) return;
      const filled = Math.round((done / total) * 30);
      process.stdout.write(`\r[${'█'.repeat(filled)}${'░'.repeat(30 - filled)}] ${done}/${total}`);
      isShown = true;
    },
    end() {
      if (isShown) process.stdout.write('\n');
      isShown = false;
    },
  };
}

/** Returns a snippet on one line, with what was found in brackets or in colour. */
export function highlight({ text, highlights }: NonNullable<NodeHit['snippet']>): string {
  let result = '';
  let at = 0;
  for (const [start, end] of highlights) {
    const found = text.slice(start, end);
    result += text.slice(at, start) + (isTerminal ? style(33, found) : `[${found}]`);
    at = end;
  }
  return (result + text.slice(at)).replaceAll(/\s+/g, ' ').slice(0, 200);
}
