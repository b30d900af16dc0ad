import { numberAt, objectAt, textAt } from '../../json/fields.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { TranscriptState } from '../model/state.ts';

const COUNTERS = [
  'input_tokens',
  'output_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
];

/**
 * Returns the usage that a line adds to that of its message. An answer is in several lines, each of which
 * repeats the usage so far; so the sum over all events is the true one.
 */
export function addedUsage(state: TranscriptState, line: JsonObject): JsonObject | undefined {
  const message = objectAt(line, 'message');
  const id = textAt(message, 'id');
  const usage = objectAt(message, 'usage');
  const key = `${id ?? textAt(line, 'uuid') ?? ''}:${textAt(line, 'requestId') ?? ''}`;
  const before = state.usage.get(key) ?? {};
  const added: { [name: string]: number } = {};
  const now: { [name: string]: number } = { ...before };
  for (const name of COUNTERS) {
    const value = numberAt(usage, name) ?? 0;
    const known = before[name] ?? 0;
    if (value <= known) continue;
    added[name] = value - known;
    now[name] = value;
  }
  state.usage.set(key, now);
  return Object.keys(added).length === 0 ? undefined : added;
}
