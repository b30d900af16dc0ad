import { LruMap } from '@vizprompt/providers/internal';
import { findList } from '../build/find-list.ts';
import { shorten } from '../build/shorten.ts';
import { itemsOf, summarize } from '../build/summarize-offline.ts';
import { estimateTokens, parseList } from '../index/node-index.ts';
import type { StoredNode } from '../node/node.ts';
import type { Project } from '../project/project.ts';
import type { Bodies, ContextNode } from './scene.ts';

/** A line of the history: one node, or a run of them. */
export interface Segment {
  /** 0: one node. 1: one node, in few words. n: a run of lines of level n - 1. */
  readonly level: number;
  /** The source of the line of a node. */
  readonly source: Gist['source'] | 'range';
  readonly nodes: readonly ContextNode[];
  /** Without a line break. */
  readonly text: string;
  /** Rough tokens: which lines are joined must not depend on a counter that learns. */
  readonly weight: number;
  /** The most frequent tags of a run, each with its number of nodes. */
  readonly tags?: ReadonlyMap<string, number>;
}

/** At most this many lines are joined at once. */
export const FAN = 8;
/** A line has at most this many rough tokens. */
const MAX_LINE = 120;
/** A line in few words. */
const SHORT = { maxWords: 24, maxTokens: 28 };
/** A range has at most this many rough tokens. */
const MAX_RANGE = 96;
/** Joining continues until this share of the limit is left, so that it is seldom needed. */
const REST = 0.6;
const MAX_TAGS = 32;

/**
 * Returns the lines of a history: one for each node, shorter ones and ranges where that is too long. The history is
 * written from its beginning, and whenever it gets longer than the limit the oldest lines of the level
 * that takes most are shortened or joined into one, until there is room again. So a turn more adds a line
 * at the end, and only now and then rewrites lines before it.
 *
 * @param lines - The lines of {@link lineOf}.
 * @param limit - Rough tokens.
 * @returns The lines, the oldest first. Nodes that are in none were dropped.
 */
export function tellHistory(lines: Iterable<Segment>, limit: number): readonly Segment[] {
  const levels: Segment[][] = [[]];
  let total = 0;
  for (const line of lines) {
    levels[0]?.push(line);
    total += line.weight;
    if (total > limit) total = compact(levels, total, limit * REST);
  }
  return levels.toReversed().flat();
}

/** Returns the line of one node. */
export function lineOf(node: ContextNode, { text: told, source }: Gist): Segment {
  return segmentOf(node, source, 0, clip(told.replaceAll(/\s\s*/g, ' ').trim(), MAX_LINE));
}

function segmentOf(
  node: ContextNode,
  source: Segment['source'],
  level: number,
  told: string,
): Segment {
  const text = `[${node.label}] ${told}`;
  return { level, source, nodes: [node], text, weight: estimateTokens(text) + 1 };
}

/** Returns the line of one node in few words: what was asked, and facts. */
function inFewWords(line: Segment): readonly Segment[] {
  const { nodes, source } = line;
  const short = nodes.map((node) => segmentOf(node, source, 1, summarize(bare(line), '', SHORT)));
  return short.map((segment) => (segment.weight < line.weight ? segment : { ...line, level: 1 }));
}

/** @returns The new total. */
function compact(levels: Segment[][], before: number, goal: number): number {
  let total = before;
  while (total > goal) {
    const level = heaviest(levels);
    if (level === undefined) {
      const oldest = levels.findLast((segments) => segments.length > 0)?.shift();
      total -= oldest?.weight ?? total;
      continue;
    }
    const segments = levels[level] ?? [];
    const joined = segments.splice(
      0,
      Math.max(level === 0 ? 1 : 2, Math.min(FAN, segments.length >> 1)),
    );
    const shorter = level === 0 ? joined.flatMap(inFewWords) : [rangeOf(joined, level + 1)];
    const above = (levels[level + 1] ??= []);
    above.push(...shorter);
    total += weightOf(shorter) - weightOf(joined);
  }
  return total;
}

/** Returns the level whose lines take most, among those with lines that can be joined. */
function heaviest(levels: readonly Segment[][]): number | undefined {
  let found: { readonly level: number; readonly weight: number } | undefined;
  for (const [level, segments] of levels.entries()) {
    const weight = weightOf(segments);
    if (segments.length > (level === 0 ? 0 : 1) && weight > (found?.weight ?? 0))
      found = { level, weight };
  }
  return found?.level;
}

function weightOf(segments: readonly Segment[]): number {
  return segments.reduce((sum, { weight }) => sum + weight, 0);
}

/** One shorter line for several: the beginning of each, or of many nodes what most are about. */
function rangeOf(segments: readonly Segment[], level: number): Segment {
  const nodes = segments.flatMap((segment) => segment.nodes);
  const tags = topTags(segments);
  const limit = Math.min(MAX_RANGE, weightOf(segments) / 2);
  const label = `[${nodes[0]?.label ?? ''}–${nodes.at(-1)?.label ?? ''}] `;
  const rest = limit - estimateTokens(label);
  const topics = [...tags.keys()].map((tag) => `#${tag}`).join(' ');
  const told =
    level > 2 && topics !== ''
      ? clip(topics, rest)
      : segments.map((segment) => clip(bare(segment), rest / segments.length)).join(' / ');
  const text = label + told;
  return { level, source: 'range', nodes, text, weight: estimateTokens(text) + 1, tags };
}

function bare({ text }: Segment): string {
  return text.slice(text.indexOf('] ') + 2);
}

function topTags(segments: readonly Segment[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (tag: string, count: number): void => {
    counts.set(tag, (counts.get(tag) ?? 0) + count);
  };
  for (const { tags, nodes } of segments) {
    if (tags) for (const [tag, count] of tags) add(tag, count);
    else for (const tag of parseList(nodes[0]?.row?.tags ?? '[]')) add(tag, 1);
  }
  return new Map([...counts].toSorted(([, a], [, b]) => b - a).slice(0, MAX_TAGS));
}

/** Returns the beginning of a text, with `…` where it was cut; never within a character. */
function clip(text: string, limit: number): string {
  const tokens = estimateTokens(text);
  if (tokens <= limit) return text;
  const length = Math.max(1, Math.floor((text.length * limit) / tokens));
  const start = text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
  const border = start.lastIndexOf(' ');
  const words = border > start.length / 2 ? start.slice(0, border) : start;
  return `${words.replace(/(?<![\s、,;:])[\s、,;:][\s、,;:]*$/, '')}…`;
}

/** The limits of a line: long enough for a list of some twenty items. */
const LINE = { maxWords: 60, maxTokens: 72 };
/** A summary of a model leaves room for the items of a list. */
const SUMMARY_WITH_LIST = { maxWords: 30, maxTokens: 36 };
/** Older nodes than these are described by the index: their lines are joined anyway. */
const READ = 150;
/** Characters of all gists that are cached for a project. */
const CACHED = 2_000_000;

/** A node in one line. */
interface Gist {
  readonly text: string;
  /** The source of the text: the summary that `build` created, the node itself, or its first words. */
  readonly source: 'summary' | 'gist' | 'first-words';
}

const caches = new WeakMap<Project, LruMap<string, string>>();

/**
 * Returns the gist of prompt and answer of each node: its summary, or else the same made here. A list in the
 * answer keeps the beginnings of all its items.
 */
export async function gistsOf(
  project: Project,
  bodies: Bodies,
  nodes: readonly ContextNode[],
): Promise<readonly Gist[]> {
  const first = Math.max(0, nodes.length - READ);
  const cache = caches.get(project) ?? new LruMap<string, string>(CACHED, ({ length }) => length);
  caches.set(project, cache);
  return Promise.all(
    nodes.map(async (node, at): Promise<Gist> => {
      const { row } = node;
      const isBuilt = hasSummary(node);
      const known = isBuilt ? (row?.summary ?? '') : (row?.title ?? '');
      const source = isBuilt ? 'summary' : at < first ? 'first-words' : 'gist';
      if (!row || at < first) return { text: known, source };
      const key = `${row.file} ${row.version}`;
      const cached = cache.get(key);
      if (cached !== undefined) return { text: cached, source };
      const stored = await bodies.find(node);
      if (!stored) return { text: known, source: isBuilt ? 'summary' : 'first-words' };
      const text = isBuilt
        ? withList(known, stored)
        : summarize(stored.prompt, stored.response, LINE);
      cache.set(key, text);
      return { text, source };
    }),
  );
}

/** Checks whether a node has a summary of its present text. */
function hasSummary({ row }: ContextNode): boolean {
  return row !== undefined && row.summary.trim() !== '' && row.is_outdated === 0;
}

/** Returns a summary, and the items of the list in the answer where the summary leaves any out. */
function withList(summary: string, { response }: StoredNode): string {
  const list = findList(response);
  const said = squeezed(summary);
  const isWhole =
    list?.items.every(({ text }) => said.includes(squeezed(text).slice(0, 6))) ?? true;
  if (!list || isWhole) return shorten(summary, LINE);
  const start = shorten(summary, SUMMARY_WITH_LIST);
  for (const most of [28, 18, 12, 8]) {
    const text = `${start} ${itemsOf(list, most)}`;
    if (shorten(text, LINE) === text) return text;
  }
  return shorten(`${start} ${itemsOf(list, 5)}`, LINE);
}

function squeezed(text: string): string {
  return text.replaceAll(/[\s*_`][\s*_`]*/g, '').toLowerCase();
}
