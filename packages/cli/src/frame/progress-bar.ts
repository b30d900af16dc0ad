import type { Output } from './output.ts';

const WIDTH = 24;
const EVERY_MS = 80;

/** How far a long task has come, on one line of a terminal; nothing at all elsewhere. */
export class ProgressBar {
  readonly #output: Output;
  readonly #label: string;
  #drawn = 0;

  constructor(output: Output, label: string) {
    this.#output = output;
    this.#label = label;
  }

  /**
   * @param done - This many.
   * @param total - The total; absent while it is not known.
   */
  update(done: number, total?: number): void {
    if (!this.#output.isTerminal) return;
    const now = Date.now();
    if (now - this.#drawn < EVERY_MS && done !== total) return;
    this.#drawn = now;
    void this.#output.redraw(`${this.#label} ${bar(done, total)}`).catch(() => {});
  }

  /** Takes the bar away. */
  close(): void {
    if (this.#drawn > 0) void this.#output.redraw('').catch(() => {});
    this.#drawn = 0;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

function bar(done: number, total: number | undefined): string {
  if (total === undefined || total === 0) return String(done);
  const filled = Math.round((Math.min(done, total) / total) * WIDTH);
  return `${'━'.repeat(filled)}${'─'.repeat(WIDTH - filled)} ${done}/${total}`;
}
