import { hash } from 'node:crypto';
import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { joinedTerms, termTexts, type TermTexts } from '@vizprompt/providers/internal';
import { type TextAnalyzer, wordAnalyzer } from '@vizprompt/providers/text';
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

/** Longer texts are searched up to here, and stored whole. */
const MAX_INDEXED = 1_000_000;

/** The searchable parts of an event. */
export interface IndexedEvent<Type extends EventType = EventType> {
  readonly type: Type;
  readonly data: EventDataMap[Type];
  readonly meta: JsonObject | undefined;
  /** The path as it is shown. */
  readonly path: string | undefined;
  /** Whole texts of files that this session does not have yet. */
  readonly contents: readonly string[];
}

/** Returns the words of every field of an event, by which it is found. */
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

/** Returns the text of an event that snippets are cut from. */
export function shownText(event: MemoryEvent): string {
  if (event.type === 'forgotten') return '';
  const { type, data, meta } = event;
  const path = 'file_path' in data ? data.file_path : undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- type and data are of one event
  const indexed = { type, data, meta, path, contents: [] } as IndexedEvent;
  const { text, path: shown, detail } = indexedFields(indexed);
  return [text, shown, detail].filter((part) => part !== '').join('\n');
}

function joined(texts: readonly string[], room = MAX_INDEXED): string {
  return cut(withoutControls(texts.length === 1 ? (texts[0] ?? '') : texts.join('\n')), room);
}

/**
 * Control sequences of terminals, such as colours, whose parameters are no words: they were 29 % of the positions in the
 * index of real logs. Output may be cut off within one: what a space or sign and a letter follow there are mostly words,
 * so that of those only the shape of a cursor counts, and what ends a word. Source: ECMA-48, section 5.4.
 */
// oxlint-disable-next-line no-control-regex
const CONTROL = /\u001B\[(?:[0-6]? q|[0-?]*(?:([@-~])|[ -/][@-~](?![\p{L}\p{N}])))/gu;

/** Removes control sequences. Colours may change within a word; what moves the cursor separates words. */
function withoutControls(text: string): string {
  if (!text.includes('\u001B')) return text;
  return text.replaceAll(CONTROL, (_, final?: string) => (final === 'm' ? '' : ' '));
}

function cut(text: string, room: number): string {
  return text.length > room ? text.slice(0, room).toWellFormed() : text;
}

/** Names and texts; numbers too, as they are looked for as they are. */
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

/** Returns the lines of a diff without its head and marks. */
function changedLines(diff: string): string {
  const lines = diff.split('\n');
  const first = lines.findIndex((line) => line.startsWith('@@'));
  return lines
    .slice(first + 1)
    .filter((line) => !/^(?:@@|\\ )/.test(line))
    .map((line) => line.slice(1))
    .join('\n');
}

/** The words and tags of an event, as the index takes them: found before the event is written. */
export interface IndexedWords {
  readonly terms: Readonly<Record<keyof IndexedFields, TermTexts>>;
  /** How many characters the fields have. */
  readonly characters: Readonly<Record<keyof IndexedFields, number>>;
}

/** Returns the words of fields. */
export function indexedWords(
  { text, path, detail }: IndexedFields,
  analyzer: TextAnalyzer,
): IndexedWords {
  return {
    terms: {
      text: termsOf(analyzer, text),
      path: termsOf(analyzer, path),
      detail: termsOf(analyzer, detail),
    },
    characters: { text: text.length, path: path.length, detail: detail.length },
  };
}

function termsOf(analyzer: TextAnalyzer, text: string): TermTexts {
  const { line, extra } = joinedTerms(termTexts(analyzer, text));
  return { line, extra: eachOnce(extra) };
}

/** Returns terms without repetitions: how often a word is in an event counts for nothing. */
function eachOnce(terms: readonly string[]): readonly string[] {
  return terms.length === 0 ? terms : [[...new Set(terms.join(' ').split(' '))].join(' ')];
}

/** Returns the words of an event with whole texts of files after its details, cut like these. */
export function withContents(
  words: IndexedWords,
  contents: readonly string[],
  analyzer: TextAnalyzer,
): IndexedWords {
  if (contents.length === 0) return words;
  const { terms, characters } = words;
  const before = characters.detail === 0 ? 0 : characters.detail + 1;
  const text = joined(contents, Math.max(0, MAX_INDEXED - before));
  const { line, extra } = termsOf(analyzer, text);
  const detail = {
    line: [...terms.detail.line, ...line],
    extra: eachOnce([...terms.detail.extra, ...extra]),
  };
  return {
    terms: { ...terms, detail },
    characters: {
      ...characters,
      detail: text.length === 0 ? characters.detail : before + text.length,
    },
  };
}

let analyzer: TextAnalyzer | undefined;

/** Returns the analyser of every memory that is given none: the words that it remembers are shared. */
export function memoryAnalyzer(): TextAnalyzer {
  return (analyzer ??= wordAnalyzer({ stems: 'english' }));
}

/** Frequent words find events with more characters than this after others. */
const LONG = 2000;
/** The tag of long events. */
export const LONG_TAG = 'long';
/** The years of time tags; times outside count as the first or last. */
const YEARS = { first: 1970, last: 2100 } as const;

/** The parts of an event that its tags are made of. */
export interface TaggedEvent {
  readonly tenant: string;
  /** That which its session was started in. */
  readonly workspace: string;
  /** The key of its session. */
  readonly session: number;
  readonly type: string;
  readonly path: string | undefined;
  /** UTC with milliseconds. */
  readonly timestamp: string;
  /** How many characters it is searched by. */
  readonly characters: number;
}

/** The conditions of a search on events. */
export interface TagFilter {
  readonly tenant: string;
  /** All folders that are the workspace. */
  readonly workspaces?: readonly string[] | undefined;
  /** Sessions that were moved there. */
  readonly sessions?: readonly number[] | undefined;
  readonly session?: number | undefined;
  readonly types?: readonly EventType[] | undefined;
  readonly path?: string | undefined;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}

/** Where and when an event happened, as tags of the text index. */
export function tagsOf(event: TaggedEvent): readonly string[] {
  const { tenant, workspace, session, type, path, timestamp, characters } = event;
  const { year, month } = monthOf(timestamp);
  return [
    `s${session}`,
    hashed('w', tenant, workspace),
    typeTag(type),
    `y${year}`,
    monthTag(year, month),
    ...(tenant === '' ? [] : [hashed('n', tenant)]),
    ...(path === undefined ? [] : [hashed('f', tenant, path)]),
    ...(characters > LONG ? [LONG_TAG] : []),
  ];
}

/** Returns the tags that the events within a filter have: one of each list. Times are exact to the month. */
export function tagClauses(filter: TagFilter): readonly (readonly string[])[] {
  const { tenant, workspaces, sessions = [], session, types, path, after, before } = filter;
  const clauses: (readonly string[])[] = [];
  if (session !== undefined) clauses.push([`s${session}`]);
  if (path !== undefined) clauses.push([hashed('f', tenant, path)]);
  if (workspaces) {
    const folders = workspaces.map((folder) => hashed('w', tenant, folder));
    clauses.push([...folders, ...sessions.map((key) => `s${key}`)]);
  }
  if (types) clauses.push(types.map(typeTag));
  if (after !== undefined || before !== undefined) clauses.push(timeTags(after, before));
  const isOfTenant = session !== undefined || path !== undefined || workspaces !== undefined;
  if (tenant !== '' && !isOfTenant) clauses.push([hashed('n', tenant)]);
  return clauses;
}

function typeTag(type: string): string {
  return `t${type.replaceAll('_', '')}`;
}

function monthTag(year: number, month: number): string {
  return `m${year}${String(month).padStart(2, '0')}`;
}

/** Whole years, and months where only a part of a year lies between the times. */
function timeTags(after: string | undefined, before: string | undefined): readonly string[] {
  const from = after === undefined ? { year: YEARS.first, month: 1 } : monthOf(after);
  const to = before === undefined ? { year: YEARS.last, month: 12 } : monthOf(before);
  const tags: string[] = [];
  for (let year = from.year; year <= to.year; year++) {
    const first = year === from.year ? from.month : 1;
    const last = year === to.year ? to.month : 12;
    if (first === 1 && last === 12) tags.push(`y${year}`);
    else for (let month = first; month <= last; month++) tags.push(monthTag(year, month));
  }
  // Nothing lies between them: no event has this tag.
  return tags.length > 0 ? tags : ['never'];
}

/** Cut out of the text, which takes less time than reading it. A year of more digits begins with a sign. */
function monthOf(timestamp: string): { readonly year: number; readonly month: number } {
  const year = timestamp.startsWith('+') ? YEARS.last + 1 : Number(timestamp.slice(0, 4));
  if (year < YEARS.first) return { year: YEARS.first, month: 1 };
  if (year > YEARS.last) return { year: YEARS.last, month: 12 };
  return { year, month: Number(timestamp.slice(5, 7)) };
}

const hashes = new Map<string, string>();

/** Names of any form as a tag; 80 bits keep them apart. */
function hashed(kind: string, ...names: readonly string[]): string {
  const key = JSON.stringify([kind, ...names]);
  const known = hashes.get(key);
  if (known !== undefined) return known;
  const tag = kind + hash('sha256', key).slice(0, 20);
  if (hashes.size >= 1000) hashes.clear();
  hashes.set(key, tag);
  return tag;
}
