import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { messageOf, type JsonValue } from '@vizprompt/providers';
import { CliError } from '../errors.ts';
import type { Cli } from './cli.ts';
import { whyUnreadable } from '@vizprompt/providers/internal';

/**
 * Returns the text of a file, or of standard input for `-`.
 *
 * @throws CliError `input-unreadable` if it is not there or is not UTF-8, or if standard input is empty or was
 * read before.
 */
export async function readInput<Messages>(cli: Cli<Messages>, path: string): Promise<string> {
  const name = path === '-' ? cli.frame.standardInput : path;
  const bytes = path === '-' ? await readStandardInput(cli) : await readBytes(cli, path);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new CliError('input-unreadable', cli.frame.notUtf8(name), {
      cause: error,
      context: { path },
    });
  }
}

/** Reads a word of the command line; `-` means the content of standard input. */
export async function readWord<Messages>(cli: Cli<Messages>, word: string): Promise<string> {
  return word === '-' ? readInput(cli, '-') : word;
}

/**
 * Reads the words of a query, which need no quotes around them; a single `-` means the content of standard input.
 *
 * @returns `undefined` if there are none.
 */
export async function readWords<Messages>(
  cli: Cli<Messages>,
  words: readonly string[],
): Promise<string | undefined> {
  return words.length === 0 ? undefined : readWord(cli, words.join(' '));
}

/** A text that is given as `--prompt TEXT` or as `--prompt-file FILE`, by the names of both options. */
interface TextSource {
  readonly option: string;
  readonly text: string | undefined;
  readonly fileOption: string;
  readonly file: string | undefined;
}

/**
 * Reads a text that is given in one of two ways. `-` is standard input in both.
 *
 * @returns `undefined` if it is given in neither.
 * @throws CliError `usage` if it is given in both, and those of {@link readInput}.
 */
export async function readSource<Messages>(
  cli: Cli<Messages>,
  { option, text, fileOption, file }: TextSource,
): Promise<string | undefined> {
  if (text !== undefined && file !== undefined) {
    throw new CliError('usage', cli.frame.onlyOne(`${option}, ${fileOption}`));
  }
  if (file !== undefined) return readInput(cli, file);
  return text === undefined ? undefined : readWord(cli, text);
}

async function readBytes<Messages>(cli: Cli<Messages>, path: string): Promise<Uint8Array> {
  try {
    return await readFile(resolve(cli.cwd, path), { signal: cli.signal });
  } catch (error) {
    const message = cli.frame.cannotRead(path, whyUnreadable(error));
    throw new CliError('input-unreadable', message, { cause: error, context: { path } });
  }
}

/** Standard input, which Ctrl+C ends, also while nothing comes. */
export function standardInput<Messages>(cli: Cli<Messages>): Readable {
  return addAbortSignal(cli.signal, cli.stdin);
}

async function readStandardInput<Messages>(cli: Cli<Messages>): Promise<Uint8Array> {
  if (cli.isInputRead) throw new CliError('input-unreadable', cli.frame.inputTwice);
  cli.isInputRead = true;
  const pieces: Buffer[] = [];
  for await (const piece of standardInput(cli)) pieces.push(Buffer.from(piece));
  // The program that should have written there failed.
  if (pieces.length === 0) throw new CliError('input-unreadable', cli.frame.inputEmpty);
  return Buffer.concat(pieces);
}

/**
 * JSON that an option holds; `-` is standard input.
 *
 * @throws CliError `usage` if it is not JSON, and those of {@link readInput}.
 */
export async function readJson<Messages>(
  cli: Cli<Messages>,
  option: string,
  word: string,
): Promise<JsonValue> {
  const text = await readWord(cli, word);
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- that is what it parses
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    throw new CliError('usage', `${option}: ${cli.frame.json(messageOf(error))}`, { cause: error });
  }
}
