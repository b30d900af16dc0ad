import { messageOf, type JsonValue } from '@vizprompt/providers';
import { CliError } from '../../errors.ts';
import type { Cli } from '../../frame/cli.ts';
import { readInput, readSource, readWord } from '../../frame/read-input.ts';
import type { VizpromptMessages } from '../messages/vizprompt-messages.ts';

/** The ways to give the input of a run. */
export interface GivenInput {
  /** The word after the workflow: a text. */
  readonly text: string | undefined;
  /** `--input`. */
  readonly input?: string | undefined;
  /** `--input-file`. */
  readonly inputFile?: string | undefined;
}

/**
 * Returns the input of a run; `null` if none is given.
 *
 * @throws CliError `usage` if it is given twice, `input-unreadable` if it is not JSON.
 */
export async function inputOf(
  cli: Cli<VizpromptMessages>,
  { text, input, inputFile }: GivenInput,
): Promise<JsonValue> {
  if (text !== undefined) {
    if (input === undefined && inputFile === undefined) return readWord(cli, text);
    throw new CliError('usage', cli.frame.onlyOne('[text], --input, --input-file'));
  }
  const json = await readSource(cli, {
    option: '--input',
    text: input,
    fileOption: '--input-file',
    file: inputFile,
  });
  return json === undefined ? null : parse(cli, json, inputFile ?? '--input');
}

/** Returns the JSON of a file, or `undefined` where none is named. */
export async function jsonFile(
  cli: Cli<VizpromptMessages>,
  file: string | undefined,
): Promise<JsonValue | undefined> {
  return file === undefined ? undefined : parse(cli, await readInput(cli, file), file);
}

function parse(cli: Cli<VizpromptMessages>, text: string, where: string): JsonValue {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- that is what JSON is
    return JSON.parse(text) as JsonValue;
  } catch (cause) {
    const message = cli.text.workflow.notJson(where, messageOf(cause));
    throw new CliError('input-unreadable', message, { cause, context: { where } });
  }
}
