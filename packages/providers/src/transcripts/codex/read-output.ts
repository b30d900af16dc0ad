import { numberAt, objectAt, textAt } from '../../json/fields.ts';
import { isJsonObject, type JsonValue } from '../../json/json-value.ts';
import type { TranscriptResult } from '../model/entry.ts';
import { unpacked } from '../model/read-fields.ts';

const EXIT = /^(?:Exit code|Process exited with code)[: ][: ]*(-?\d\d*)/m;
const WALL = /^Wall time:? ([\d.][\d.]*) ?s/m;

/** Reads the output of a call, and whether it went well: a text, JSON in a text, or content items. */
export function readOutput(
  output: JsonValue | undefined,
): Pick<TranscriptResult, 'durationMs' | 'output' | 'success'> {
  const value = unpacked(output);
  if (isJsonObject(value)) {
    const metadata = objectAt(value, 'metadata');
    const seconds = numberAt(metadata, 'duration_seconds');
    const exit = numberAt(metadata, 'exit_code');
    const success = exit === undefined ? value['success'] !== false : exit === 0;
    const text = textAt(value, 'output', 'content');
    return {
      output: Object.keys(metadata).length > 0 || text === undefined ? value : text,
      success,
      ...(seconds === undefined ? {} : { durationMs: Math.round(seconds * 1000) }),
    };
  }
  if (typeof value !== 'string') return { output: value, success: true };
  // The head of the output of a command; the rest is the command's own.
  const head = value.slice(0, 400);
  const exit = EXIT.exec(head)?.[1];
  const wall = WALL.exec(head)?.[1];
  const isFailure = /^(?:failed|error)\b|^execution error|verification failed/i.test(head);
  return {
    output: value,
    success: exit === undefined ? !isFailure : Number(exit) === 0,
    ...(wall === undefined ? {} : { durationMs: Math.round(Number(wall) * 1000) }),
  };
}
