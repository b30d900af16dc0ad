import { createInterface, type Interface } from 'node:readline';
import type { InputStream } from './tool-io.ts';

/** The lines of standard input, one after the other, as a person types them or a program writes them. */
export class InputLines {
  readonly #cli: { readonly stdin: InputStream };
  #reader: Interface | undefined;
  readonly #lines: string[] = [];
  readonly #waiting: ((line: string | undefined) => void)[] = [];
  #isOver = false;

  /** @param cli - The command, whose standard input is read. */
  constructor(cli: { readonly stdin: InputStream }) {
    this.#cli = cli;
  }

  /**
   * Returns the next line. Nothing is read before the first is asked for.
   *
   * @param signal - Ends waiting for it.
   * @returns `undefined` at the end of the input.
   * @throws the reason of the signal.
   */
  async next(signal?: AbortSignal): Promise<string | undefined> {
    signal?.throwIfAborted();
    this.#open();
    const line = this.#lines.shift();
    if (line !== undefined || this.#isOver) return line;
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(give), 1);
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the reason of the caller
        reject(signal?.reason);
      };
      const give = (next: string | undefined): void => {
        signal?.removeEventListener('abort', stop);
        resolve(next);
      };
      signal?.addEventListener('abort', stop, { once: true });
      this.#waiting.push(give);
    });
  }

  /** Lets go of standard input, which would keep the process alive. */
  close(): void {
    this.#reader?.close();
    if (this.#reader) this.#cli.stdin.destroy();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #open(): void {
    if (this.#reader) return;
    // Ctrl+C shall come as a signal, as everywhere else.
    this.#reader = createInterface({ input: this.#cli.stdin, terminal: false });
    this.#reader.on('line', (line) => {
      const give = this.#waiting.shift();
      if (give) give(line);
      else this.#lines.push(line);
    });
    this.#reader.on('close', () => {
      this.#isOver = true;
      for (const give of this.#waiting.splice(0)) give(undefined);
    });
  }
}
