import { createInterface, type Interface } from 'node:readline';
import type { Cli } from '../../frame/cli.ts';
import type { VizpromptMessages } from '../messages/vizprompt-messages.ts';
import { remark } from '../../frame/remark.ts';

/** The messages of a person, or of a script, one at a time. */
export class ChatInput implements Disposable {
  /** True if a person types. */
  readonly isTerminal: boolean;
  readonly #cli: Cli<VizpromptMessages>;
  readonly #lines: Interface;
  readonly #read: AsyncIterator<string>;
  readonly #signals: Disposable;
  readonly #end = (): void => this.#lines.close();
  /** The input may end while an answer comes. */
  #isOpen = true;
  #interrupt: (() => void) | undefined;
  #isWarned = false;

  constructor(cli: Cli<VizpromptMessages>) {
    this.#cli = cli;
    this.isTerminal = cli.stdin.isTTY === true && cli.out.isTerminal && !cli.isJson;
    this.#lines = createInterface({
      input: cli.stdin,
      ...(this.isTerminal ? { output: cli.out.stream } : {}),
      terminal: this.isTerminal,
    });
    this.#lines.once('close', () => (this.#isOpen = false));
    this.#read = this.#lines[Symbol.asyncIterator]();
    // A terminal that is read key by key makes no signal of Ctrl+C.
    this.#lines.on('SIGINT', () => this.#stop());
    this.#signals = cli.interrupts.onInterrupt(() => this.#stop());
    cli.signal.addEventListener('abort', this.#end, { once: true });
  }

  /** Returns the next message; `undefined` at the end. A line that ends with `\` continues in the next one. */
  async next(): Promise<string | undefined> {
    let message = '';
    for (;;) {
      this.#lines.setPrompt(message === '' ? '> ' : '… ');
      if (this.isTerminal && !this.#cli.signal.aborted) this.#prompt();
      const { value, done } = await this.#read.next();
      if (done === true) return message === '' ? undefined : message.trimEnd();
      this.#isWarned = false;
      if (!value.endsWith('\\')) return message + value;
      message += `${value.slice(0, -1)}\n`;
    }
  }

  /** Handles Ctrl+C while an answer comes. */
  onInterrupt(stop: () => void): Disposable {
    this.#interrupt = stop;
    return { [Symbol.dispose]: () => (this.#interrupt = undefined) };
  }

  [Symbol.dispose](): void {
    this.#cli.signal.removeEventListener('abort', this.#end);
    this.#signals[Symbol.dispose]();
    this.#lines.close();
  }

  /** Between two answers, the first Ctrl+C may have meant the one that has just ended. */
  #stop(): void {
    if (this.#interrupt) return this.#interrupt();
    if (!this.isTerminal) return this.#cli.interrupts.stop('SIGINT');
    if (this.#isWarned) return this.#end();
    this.#isWarned = true;
    void remark(this.#cli, `\n${this.#cli.text.chat.onceMore}`).then(() => this.#prompt());
  }

  /** Nothing after the end of the input. */
  #prompt(): void {
    if (this.#isOpen) this.#lines.prompt();
  }
}
