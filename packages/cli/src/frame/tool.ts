import type { Command } from '@commander-js/extra-typings';
import type { Cli } from './cli.ts';
import type { Language } from './language.ts';

/** The exports of a command's file. */
export interface CommandModule<Messages> {
  /** Declares the arguments, the options and what is done. */
  define(command: Command, cli: Cli<Messages>): void;
  /** Whole command lines, for the help. */
  readonly examples: readonly string[];
}

/** A command, loaded when it runs. */
export interface LazyCommand<Messages> {
  readonly name: string;
  readonly load: () => Promise<CommandModule<Messages>>;
}

/** Commands below a word: `vizprompt flow list`. */
interface CommandGroup<Messages> {
  readonly name: string;
  readonly commands: readonly LazyCommand<Messages>[];
}

/** The texts that a tool must have. */
export interface ToolMessages {
  /** The description of the tool, a sentence. */
  readonly about: string;
  /** The meaning of `--data`, and its default. */
  readonly data: string;
  /** The description of each command, by its name; those of groups by both: `flow list`. */
  readonly summaries: Readonly<Record<string, string>>;
}

/** One of the command lines. */
export interface Tool<Messages extends ToolMessages> {
  readonly name: string;
  readonly messages: Readonly<Record<Language, Messages>>;
  readonly commands: readonly (LazyCommand<Messages> | CommandGroup<Messages>)[];
  /** The commands that do more with a file as `--data` than to refuse it. */
  readonly takeDataFile?: readonly string[];
}
