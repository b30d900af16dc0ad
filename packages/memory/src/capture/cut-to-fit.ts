import type { JsonObject } from '@vizprompt/providers';
import {
  cutMiddle,
  listOf,
  mapStrings,
  objectOf,
  parseJson,
  textAt,
} from '@vizprompt/providers/internal';
import type { MemoryError } from '../errors.ts';
import { LINES } from '../model/kept-lines.ts';
import type { NewEvent } from '../model/memory-event.ts';

/** Marks of what was removed, and names of secrets, need room, too. */
const ROOM = 0.95;
const SHORTEST = 100;

/**
 * Returns an event that a store refused for its size without the middles of its longest texts; whole texts of files, whose
 * beginning and end alone say nothing, are left out, and so are kept lines that take half of the room. `meta.cut_characters`
 * and `meta.cut_lines` count what is missing.
 *
 * @returns `undefined` if it was refused for another reason, or cannot be cut.
 */
export function cutToFit(event: NewEvent, refusal: MemoryError): NewEvent | undefined {
  const max = refusal.context?.['max'];
  if (refusal.code !== 'too-large' || typeof max !== 'number') return undefined;
  const limit = Math.floor(max * ROOM);
  const { [LINES]: lines, ...facts } = event.meta ?? {};
  const isLong = lines !== undefined && Buffer.byteLength(JSON.stringify(lines)) > limit / 2;
  const kept: JsonObject = isLong
    ? { ...facts, cut_lines: listOf(lines).length }
    : { ...event.meta };
  const before: JsonObject = objectOf(parseJson(JSON.stringify(event.data)));
  const unknown: JsonObject = {};
  let data = before;
  for (const [field, mark] of event.type === 'file_edit' ? FILE_TEXTS : []) {
    if (Buffer.byteLength(textAt(data, field) ?? '') <= limit) continue;
    const { [field]: _text, ...rest } = data;
    data = { ...rest, diff: '' };
    Object.assign(unknown, mark);
  }
  // The texts of an edit have room of their own, so the whole is not what was too large.
  const isFitting = (): boolean =>
    event.type === 'file_edit' ? data !== before : byteLength(data) <= limit;
  for (let length = Math.floor(limit / 4); !isFitting(); length = Math.floor(length / 2)) {
    if (length < SHORTEST) return undefined;
    data = objectOf(mapStrings(data, (text) => shortened(text, length)));
  }
  if (data === before && !isLong) return undefined;
  const missing = JSON.stringify(before).length - JSON.stringify(data).length;
  const meta = { ...kept, ...unknown, ...(missing > 0 && { cut_characters: missing }) };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same type, with shorter texts
  return { ...event, data, meta } as unknown as NewEvent;
}

const FILE_TEXTS: readonly (readonly [field: string, mark: JsonObject])[] = [
  ['old_content', { old_text: 'unknown' }],
  ['new_content', { new_text: 'unknown' }],
  ['diff', {}],
];

function byteLength(data: JsonObject): number {
  return Buffer.byteLength(JSON.stringify(data));
}

function shortened(text: string, length: number): string {
  return cutMiddle(
    text,
    (one) => one.length <= length,
    (characters) => `\n… ${characters} characters left out …\n`,
  );
}
