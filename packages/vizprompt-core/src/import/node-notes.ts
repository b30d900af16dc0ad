import { defined, type JsonObject } from '@vizprompt/providers';
import { isTimestamp } from '../format/ids-and-times.ts';
import type { NodeSummary } from '../node/node.ts';
import { listAt, objectAt, textAt } from './fields.ts';

/** What is known of a node beside what was said, where a format has a place for it. */
export interface NodeNotes {
  readonly tags: readonly string[];
  readonly keywords: readonly string[];
  readonly summary?: NodeSummary;
  /** The names of the branches to it, by the last messages of the nodes that it goes on from. */
  readonly branches: ReadonlyMap<string, string>;
}

/** Notes as they stand in the metadata of the last message of a node; empty if there is nothing. */
export function writeNotes({ tags, keywords, summary, branches }: NodeNotes): JsonObject {
  return {
    ...(tags.length > 0 ? { tags } : {}),
    ...(keywords.length > 0 ? { keywords } : {}),
    ...(summary ? writeSummary(summary) : {}),
    ...(branches.size > 0 ? { branches: Object.fromEntries(branches) } : {}),
  };
}

function writeSummary({ text, isOutdated, lastBuilt }: NodeSummary): JsonObject {
  const wasNeverMade = text === '' && isOutdated && lastBuilt === undefined;
  if (wasNeverMade) return {};
  const state = isOutdated ? { is_outdated: true } : {};
  return { summary: { text, ...state, ...defined({ last_built: lastBuilt }) } };
}

/** Reads what {@link writeNotes} wrote; `undefined` if there is nothing. */
export function readNotes(written: JsonObject): NodeNotes | undefined {
  const branches = Object.entries(objectAt(written, 'branches'));
  const notes: NodeNotes = {
    tags: textsAt(written, 'tags'),
    keywords: textsAt(written, 'keywords'),
    ...defined({ summary: readSummary(objectAt(written, 'summary')) }),
    branches: new Map(
      branches.flatMap(([id, name]) => (typeof name === 'string' ? [[id, name]] : [])),
    ),
  };
  return Object.keys(writeNotes(notes)).length > 0 ? notes : undefined;
}

function readSummary(summary: JsonObject): NodeSummary | undefined {
  const text = textAt(summary, 'text');
  if (text === undefined) return undefined;
  const built = textAt(summary, 'last_built');
  const lastBuilt = built !== undefined && isTimestamp(built) ? built : undefined;
  return { text, isOutdated: summary['is_outdated'] === true, ...defined({ lastBuilt }) };
}

function textsAt(object: JsonObject, key: string): string[] {
  return listAt(object, key).filter(
    (text): text is string => typeof text === 'string' && text !== '',
  );
}
