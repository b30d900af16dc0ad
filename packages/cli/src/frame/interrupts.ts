import { CliError } from '../errors.ts';
import { EXIT_CODES } from '../exit-codes.ts';

/** What Ctrl+C and SIGTERM do: once they stop what runs, twice they end the process. */
export class Interrupts {
  readonly #controller = new AbortController();
  readonly #handlers: (() => void)[] = [];
  #exitCode: number | undefined;
  #graceMs: number | undefined;

  /** Aborted by the first Ctrl+C that no handler took, and by SIGTERM. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** What the process ends with if it was stopped. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  /** Begins to listen to the signals of this process. */
  listen(): void {
    process.on('SIGINT', () => {
      const handler = this.#handlers.at(-1);
      if (handler) handler();
      else this.stop('SIGINT');
    });
    process.on('SIGTERM', () => this.stop('SIGTERM'));
  }

  /** What one of the signals does unless a handler takes it. */
  stop(signal: 'SIGINT' | 'SIGTERM'): void {
    if (this.#exitCode !== undefined) process.exit(this.#exitCode);
    this.#exitCode = signal === 'SIGINT' ? EXIT_CODES.interrupted : EXIT_CODES.terminated;
    if (this.#graceMs !== undefined) setTimeout(() => process.exit(this.#exitCode), this.#graceMs);
    this.#controller.abort(new CliError('interrupted', `stopped by ${signal}`));
  }

  /**
   * Ends the process soon after a signal, whatever is in progress: for work on stores that lose nothing by that, and
   * whose single steps may take long.
   */
  endWithin(ms: number): void {
    this.#graceMs = ms;
  }

  /**
   * Takes Ctrl+C over: a child process that gets it too, or a talk that pauses first.
   *
   * @returns Gives it back.
   */
  onInterrupt(handler: () => void): Disposable {
    this.#handlers.push(handler);
    return {
      [Symbol.dispose]: () => {
        const at = this.#handlers.lastIndexOf(handler);
        if (at !== -1) this.#handlers.splice(at, 1);
      },
    };
  }
}
