import { CliError } from '../errors.ts';
import { EXIT_CODES } from '../exit-codes.ts';

/**
 * A command that was stopped ends within this time in milliseconds, whatever is in progress: a step that takes long, or
 * output that is not read. Stores lose nothing by that.
 */
const GRACE_MS = 700;

/** Handles Ctrl+C and SIGTERM: the first one stops the command, the second one ends the process. */
export class Interrupts {
  readonly #controller = new AbortController();
  readonly #handlers: (() => void)[] = [];
  readonly #end: (exitCode: number) => void;
  readonly #release: () => void;
  #exitCode: number | undefined;
  #graceMs: number | undefined = GRACE_MS;

  /**
   * @param end - Ends the process of a command that was stopped and is stopped again.
   * @param release - Handles the signals of the process no longer.
   */
  constructor(end: (exitCode: number) => void, release: () => void = () => {}) {
    this.#end = end;
    this.#release = release;
  }

  /** Aborted by the first Ctrl+C that no handler took, and by SIGTERM. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The exit code of a command that was stopped. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  /** Does what Ctrl+C does: calls the newest handler, and stops the command where there is none. */
  interrupt(): void {
    const handler = this.#handlers.at(-1);
    if (handler) handler();
    else this.stop('SIGINT');
  }

  /** Does what one of the signals does unless a handler takes it. */
  stop(signal: 'SIGINT' | 'SIGTERM'): void {
    if (this.#exitCode !== undefined) return this.#end(this.#exitCode);
    this.#exitCode = signal === 'SIGINT' ? EXIT_CODES.interrupted : EXIT_CODES.terminated;
    const exitCode = this.#exitCode;
    if (this.#graceMs !== undefined) setTimeout(() => this.#end(exitCode), this.#graceMs).unref();
    this.#controller.abort(new CliError('interrupted', `stopped by ${signal}`));
  }

  /**
   * Gives both signals back to the system, which ends the process at once: for statements of SQLite that take seconds,
   * in which no handler runs, on stores that lose nothing by that.
   */
  endAtOnce(): void {
    this.#graceMs = 0;
    this.#release();
  }

  /** Lets a command take its time to stop: one that waits for a program of the user. */
  waitForStop(): void {
    this.#graceMs = undefined;
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
