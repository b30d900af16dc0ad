import type { JsonValue } from '@vizprompt/providers';
import { decodeUtf8 } from '@vizprompt/providers/config';
import { isJsonObject, readNamedFile, whyUnreadable } from '@vizprompt/providers/internal';
import { messageOf } from '@vizprompt/providers';
import { WorkflowError } from '../errors.ts';
import { parseSource } from '../load/read-source.ts';

/** A case of a dataset. */
export interface Case {
  /** Unique in the dataset. Default: its number, from 1. */
  readonly id: string;
  /** The variable `user_input`. */
  readonly input: JsonValue;
  /** The expected output, for judges that compare. */
  readonly expected?: JsonValue;
}

/** Bytes of the largest dataset. */
const MAX_BYTES = 64 << 20;

/**
 * Reads the cases of a file: JSON Lines (`.jsonl`), or a list in YAML or JSON, each with `input`, and `id` and `expected`
 * perhaps.
 *
 * @throws WorkflowError with the code `invalid-input`, and the place.
 */
export async function readCases(file: string | URL): Promise<readonly Case[]> {
  const name = String(file);
  let text: string;
  try {
    const decoded = decodeUtf8(await readNamedFile(file, { maxBytes: MAX_BYTES }));
    if (decoded.problem !== undefined) throw new Error(decoded.problem);
    text = decoded.text;
  } catch (cause) {
    throw new WorkflowError('invalid-input', `${name} cannot be read: ${whyUnreadable(cause)}`, {
      cause,
    });
  }
  if (/\.(?:jsonl|ndjson)$/i.test(name)) return toCases(name, readLines(name, text));
  const { source, findings } = await parseSource(name, text, true);
  const [first] = findings;
  if (first) throw wrong(name, first.words?.['problem'] ?? 'it cannot be parsed');
  const { value } = source;
  return toCases(name, Array.isArray(value) ? value : Object(value).cases);
}

function readLines(name: string, text: string): readonly unknown[] {
  return text.split('\n').flatMap((line, at): unknown[] => {
    if (line.trim() === '') return [];
    try {
      return [JSON.parse(line)];
    } catch (error) {
      throw wrong(`${name}:${at + 1}`, messageOf(error));
    }
  });
}

/**
 * Checks cases.
 *
 * @throws WorkflowError with the code `invalid-input`.
 */
export function toCases(name: string, list: unknown): readonly Case[] {
  if (!Array.isArray(list) || list.length === 0) throw wrong(name, 'it must be a list of cases');
  const ids = new Set<string>();
  return list.map((given: JsonValue, at) => {
    const place = `case ${at + 1}`;
    if (!isJsonObject(given) || given['input'] === undefined) {
      throw wrong(name, `${place} must be an object with 'input'`);
    }
    const { id: own, input, expected } = given;
    const id = typeof own === 'string' || typeof own === 'number' ? String(own) : String(at + 1);
    if (ids.has(id)) throw wrong(name, `${place}: the id '${id}' is taken`);
    ids.add(id);
    return { id, input, ...(expected === undefined ? {} : { expected }) };
  });
}

function wrong(place: string, problem: string): WorkflowError {
  return new WorkflowError('invalid-input', `${place}: ${problem}`, { context: { place } });
}
