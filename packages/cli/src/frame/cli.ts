import type { Interrupts } from './interrupts.ts';
import type { Language } from './language.ts';
import type { FrameMessages } from './messages/en.ts';
import { Output } from './output.ts';
import type { InputStream, ToolIo } from './tool-io.ts';

/** The options that every command takes. */
export interface GlobalOptions {
  readonly json?: boolean | undefined;
  readonly data?: string | undefined;
  /** Consents to what a folder from elsewhere asks for, for this command. */
  readonly trust?: boolean | undefined;
}

/** The surroundings that a tool runs in. */
export interface CliSurroundings {
  /** As it is called: `ptta`. */
  readonly toolName: string;
  readonly language: Language;
  readonly frame: FrameMessages;
  readonly io: ToolIo;
}

/** The surroundings of a command: texts in its language, two streams, the common options. */
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
  /** The home folder of the user. */
  readonly home: string;
  /** Standard output: results, and nothing else. */
  readonly out: Output;
  /** Standard error: progress and remarks. */
  readonly err: Output;
  readonly interrupts: Interrupts;
  /** Set before a command runs. */
  globals: GlobalOptions = {};
  /** Is `true` after the command has read standard input, which works once. */
  isInputRead = false;
  readonly #io: ToolIo;

  constructor(text: Messages, surroundings: CliSurroundings) {
    this.text = text;
    this.toolName = surroundings.toolName;
    this.frame = surroundings.frame;
    this.language = surroundings.language;
    const { io } = surroundings;
    this.#io = io;
    this.env = io.env;
    this.cwd = io.cwd;
    this.home = io.home;
    this.interrupts = io.interrupts;
    this.out = new Output(io.stdout, io.env);
    this.err = new Output(io.stderr, io.env);
  }

  /** Standard input; opened by the first access. */
  get stdin(): InputStream {
    return this.#io.stdin;
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

/** A remark on standard error about something that went wrong and does not end the command. */
export async function warn<Messages>(cli: Cli<Messages>, message: string): Promise<void> {
  if (cli.isJson) await cli.err.json({ warning: { message } });
  else await cli.err.line(`${cli.err.style('yellow', cli.toolName)}: ${message}`);
}

/** Writes a remark for people besides the result. Programs, which ask for `--json`, get none. */
export async function remark<Messages>(cli: Cli<Messages>, text: string): Promise<void> {
  if (!cli.isJson) await cli.err.line(cli.err.style('dim', text));
}
