import type { JsonObject, JsonValue } from '@vizprompt/providers';
import type { EventDataMap, EventType } from '../model/event-data.ts';
import type { MemoryEvent } from '../model/memory-event.ts';

/** The fields of the text index with their weights. */
export const INDEX_FIELDS: Readonly<Record<'text' | 'path' | 'detail', number>> = {
  text: 1,
  path: 2,
  detail: 0.5,
};

/** Texts by the field of the index that they go into. */
export type IndexedFields = Readonly<Record<keyof typeof INDEX_FIELDS, string>>;

/** Of longer texts only the beginning is searched; they are stored whole. */
export const MAX_INDEXED = 1_000_000;

/** What of an event is searched. */
export interface IndexedEvent<Type extends EventType = EventType> {
  readonly type: Type;
  readonly data: EventDataMap[Type];
  readonly meta: JsonObject | undefined;
  /** The path as it is shown. */
  readonly path: string | undefined;
  /** Whole texts of files that this session does not have yet. */
  readonly contents: readonly string[];
}

/** The words of every field of an event, by which it is found. */
export function indexedFields({ data, meta, path, contents }: IndexedEvent): IndexedFields {
  const text: string[] = [];
  const detail: string[] = [];
  if ('content' in data) text.push(data.content);
  if ('context' in data && data.context !== undefined) text.push(data.context);
  if ('reason' in data) text.push(data.reason);
  if ('tool_calls' in data) for (const call of data.tool_calls ?? []) addJson(call, detail);
  if ('tool' in data) {
    text.push(data.tool);
    addJson(data.parameters, detail);
    if (data.result !== undefined) addJson(data.result, detail);
  }
  if ('error_message' in data && data.error_message !== undefined) detail.push(data.error_message);
  if ('diff' in data && data.diff !== undefined) detail.push(changedLines(data.diff));
  detail.push(...contents);
  if (typeof meta?.['speaker'] === 'string') text.push(meta['speaker']);
  return { text: joined(text), path: path ?? '', detail: joined(detail) };
}

/** The text of an event that snippets are cut from. */
export function shownText(event: MemoryEvent): string {
  if (event.type === 'forgotten') return '';
  const { type, data, meta } = event;
  const path = 'file_path' in data ? data.file_path : undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- type and data are of one event
  const indexed = { type, data, meta, path, contents: [] } as IndexedEvent;
  const { text, path: shown, detail } = indexedFields(indexed);
  return [text, shown, detail].filter((part) => part !== '').join('\n');
}

function joined(texts: readonly string[]): string {
  const text = texts.length === 1 ? (texts[0] ?? '') : texts.join('\n');
  return text.length > MAX_INDEXED ? text.slice(0, MAX_INDEXED).toWellFormed() : text;
}

/** Names and texts; numbers too, as they are looked for as they stand. */
function addJson(value: JsonValue | object, into: string[]): void {
  if (typeof value === 'string') into.push(value);
  else if (typeof value === 'number') into.push(String(value));
  else if (Array.isArray(value)) for (const item of value) addJson(item, into);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, field] of Object.entries(value)) {
      into.push(name);
      addJson(field, into);
    }
  }
}

/** The lines of a diff without its head and marks. */
function changedLines(diff: string): string {
  const lines = diff.split('\n');
  const first = lines.findIndex((line) => line.startsWith('@@'));
  return lines
    .slice(first + 1)
    .filter((line) => !/^(?:@@|\\ )/.test(line))
    .map((line) => line.slice(1))
    .join('\n');
}
