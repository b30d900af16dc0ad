import { isJsonObject, type JsonValue } from '@vizprompt/providers';
import { numberAt, objectAt, textAt, unpacked } from '../fields.ts';

/** What a call gave, and whether it went well as far as that can be told. */
export interface CodexOutput {
  readonly result: JsonValue;
  readonly success: boolean;
  readonly durationMs?: number;
}

const EXIT = /^(?:Exit code|Process exited with code)[: ]+(-?\d+)/m;
const WALL = /^Wall time:? ([\d.]+) ?s/m;

/** Reads the output of a call: a text, JSON in a text, or content items. */
export function readOutput(output: JsonValue | undefined): CodexOutput {
  const value = unpacked(output);
  if (isJsonObject(value)) {
    const metadata = objectAt(value, 'metadata');
    const seconds = numberAt(metadata, 'duration_seconds');
    const exit = numberAt(metadata, 'exit_code');
    const success = exit === undefined ? value['success'] !== false : exit === 0;
    const text = textAt(value, 'output', 'content');
    return {
      result: Object.keys(metadata).length > 0 || text === undefined ? value : text,
      success,
      ...(seconds === undefined ? {} : { durationMs: Math.round(seconds * 1000) }),
    };
  }
  if (typeof value !== 'string') return { result: value, success: true };
  // The head of the output of a command; the rest is the command's own.
  const head = value.slice(0, 400);
  const exit = EXIT.exec(head)?.[1];
  const wall = WALL.exec(head)?.[1];
  const isFailure = /^(?:failed|error)\b|^execution error|verification failed/i.test(head);
  return {
    result: value,
    success: exit === undefined ? !isFailure : Number(exit) === 0,
    ...(wall === undefined ? {} : { durationMs: Math.round(Number(wall) * 1000) }),
  };
}
