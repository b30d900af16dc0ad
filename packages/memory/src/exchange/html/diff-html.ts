import { visibleHtml } from '@vizprompt/providers/internal';
import { linesOf } from '../../diff/line-changes.ts';

type Kind = 'add' | 'remove' | 'hunk' | 'same';

/** A unified diff as a block; neighbouring lines of one kind are one element. */
export function diffHtml(diff: string): string {
  let html = '';
  let run = '';
  let kind: Kind | undefined;
  const close = (): void => {
    if (run !== '') html += `<span class="${kind}">${visibleHtml(run)}</span>`;
    run = '';
  };
  let isHead = true;
  for (const line of linesOf(diff)) {
    if (line.startsWith('@@ ')) isHead = false;
    else if (line.startsWith('diff --git ')) isHead = true;
    const next = isHead ? 'hunk' : kindOf(line);
    if (next !== kind) close();
    kind = next;
    run += line;
  }
  close();
  return `<pre class="diff" dir="auto">\n${html}</pre>`;
}

function kindOf(line: string): Kind {
  if (line.startsWith('+')) return 'add';
  if (line.startsWith('-')) return 'remove';
  return line.startsWith('@@ ') || line.startsWith('\\') ? 'hunk' : 'same';
}
