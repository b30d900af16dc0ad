import { hash } from 'node:crypto';
import type { EventType } from '../model/event-data.ts';

/** Of events with more characters than this, frequent words find others first. */
const LONG = 2000;
/** The tag of long events. */
export const LONG_TAG = 'long';
/** The years that time is told by in tags; what lies outside counts as the first or last. */
const YEARS = { first: 1970, last: 2100 } as const;

/** What the tags of an event are made of. */
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

/** What a search filters events by. */
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

/** The tags that the events within a filter have: one of each list. Times are exact to the month. */
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
