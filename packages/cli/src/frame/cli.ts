import { Interrupts } from './interrupts.ts';
import type { Language } from './language.ts';
import type { FrameMessages } from './messages/frame-messages.ts';
import { Output } from './output.ts';

/** The options that every command takes. */
export interface GlobalOptions {
  readonly json?: boolean;
  readonly data?: string;
  /** Consents to what a folder from elsewhere asks for, for this command. */
  readonly trust?: boolean;
}

/** What a tool runs in. */
export interface CliSurroundings {
  /** As it is called: `ptta`. */
  readonly toolName: string;
  readonly language: Language;
  readonly frame: FrameMessages;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** What a command needs of the world: texts in its language, two streams, the common options. */
export class Cli<Messages> {
  readonly toolName: string;
  /** The texts of the tool. */
  readonly text: Messages;
  /** The texts that all tools share. */
  readonly frame: FrameMessages;
  readonly language: Language;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The current folder. */
  readonly cwd: string;
  /** Standard output: results, and nothing else. */
  readonly out: Output;
  /** Standard error: progress and remarks. */
  readonly err: Output;
  readonly interrupts: Interrupts = new Interrupts();
  /** Set before a command runs. */
  globals: GlobalOptions = {};

  constructor(text: Messages, surroundings: CliSurroundings) {
    this.text = text;
    this.toolName = surroundings.toolName;
    this.frame = surroundings.frame;
    this.language = surroundings.language;
    this.env = surroundings.env;
    this.cwd = surroundings.cwd;
    this.out = new Output(process.stdout, this.env);
    this.err = new Output(process.stderr, this.env);
  }

  /** `--json`. */
  get isJson(): boolean {
    return this.globals.json === true;
  }

  /** `--data`, if it was given. */
  get data(): string | undefined {
    return this.globals.data;
  }

  /** Aborted by Ctrl+C. */
  get signal(): AbortSignal {
    return this.interrupts.signal;
  }

  /** The result of a command: the value with `--json`, the text otherwise. */
  async print(value: unknown, text: () => string): Promise<void> {
    if (this.isJson) await this.out.json(value);
    else await this.out.line(text());
  }
}
