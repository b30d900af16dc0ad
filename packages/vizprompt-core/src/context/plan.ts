import { snippetOf } from '@vizprompt/providers/text';
import type { StoredNode } from '../node/node.ts';
import type { Project } from '../project/project.ts';
import type { ContextReason } from './context-options.ts';
import { gistsOf, lineOf, type Segment, tellHistory } from './history.ts';
import type { Relevance } from './relevance.ts';
import { type Bodies, type ContextNode, letterOf, type Naming, type Scene } from './scene.ts';
import {
  type Draft,
  type FindPiece,
  MESSAGE_OVERHEAD,
  NO_TAIL,
  type Price,
  type Quote,
  type RelatedNode,
  shareOut,
  type Tail,
  type Turn,
} from './write-context.ts';

/** The input of a plan. */
export interface PlanInput {
  readonly project: Project;
  readonly scene: Scene;
  readonly relevance: Relevance;
  /** The words that the prompt is about. */
  readonly query: string;
  /** `true`: the prompt points at an item of a list, so a list that is cut keeps the beginnings of all its items. */
  readonly isOfItems: boolean;
  readonly related: readonly RelatedNode[];
  readonly bodies: Bodies;
  readonly naming: Naming;
  readonly price: Price;
  /** Pinned nodes: they are in, whatever they cost. */
  readonly pinned: Pick<Draft, 'turns' | 'references'>;
  readonly budget: number;
}

/** The lines may take this share of the budget. It depends on nothing else, so that they stay. */
const HISTORY_SHARE = 0.42;
const MIN_HISTORY = 16;
/** The newest turns may take this share of the budget. */
const RECENT_SHARE = 0.36;
const MIN_RECENT = 64;
/** The turns at the start that show how rough an estimate is. */
const MEASURED = 8;
/** Tokens that a line has on average, roughly. */
const ROUGH_LINE = 24;
/** Related nodes may take this share of the budget. */
const RELATED_SHARE = 0.1;
/** A turn before the prompt that does not fit leaves this share of the room to what was said before it. */
const EARLIER_SHARE = 0.4;
/** A room smaller than this is not shared. */
const MIN_SHARED = 160;
/** Tokens; hosted models cache no prefix that is shorter: there the lines may depend on what the prompt is about. */
const MIN_CACHED = 1024;
/** The share of the room after the turn before it that goes to the subject of the prompt then. */
const TAIL_SHARE = 0.6;
/** A turn that would be cut to less than this is given as a line. */
const MIN_CUT = 32;
/** At most this many earlier turns are given again in full. */
const MAX_RECALLED = 8;
/** At most this many of the most relevant turns are cut where they do not fit; the others stay lines. */
const MAX_EXCERPTS = 2;
/** They may take this share of what is left, and this share of the budget. */
const EXCERPT_OF_ROOM = 0.6;
const EXCERPT_SHARE = 0.2;
/** Tokens; smaller excerpts say no more than the line. */
const MIN_EXCERPT = 80;
/** In a small budget, excerpts of this share of it are not too small. */
const LEAST_EXCERPT = 0.1;
/** By this factor, rough tokens may be too high. */
const ROUGH = 2;

/** Returns all nodes in full, with nothing that depends on the prompt; `undefined` if that is far too much. */
export async function planAll(input: PlanInput): Promise<Draft | undefined> {
  const { scene, pinned, budget } = input;
  const nodes = [...scene.ancestors, ...scene.others].filter(({ id }) => !scene.excluded.has(id));
  const rough = nodes.reduce((sum, { row }) => sum + (row?.tokens ?? 0), 0);
  if (rough > budget * ROUGH) return undefined;
  const all = await take(
    input,
    scene.ancestors.filter(({ id }) => !scene.excluded.has(id)),
    ({ id }) =>
      scene.pinned.has(id)
        ? 'pinned'
        : scene.before.includes(id)
          ? 'before-prompt'
          : scene.referenced.has(id)
            ? 'reference'
            : 'fits',
  );
  const others = scene.others.filter((node) => isAsked(scene, node));
  const references = await take(input, others, () => 'reference');
  return {
    lines: [],
    turns: all.filter(({ prompt, response }) => prompt + response !== ''),
    references: [...pinned.references, ...references],
    tail: NO_TAIL,
  };
}

/**
 * Chooses what a context holds that cannot hold everything: the node before the prompt, references that were
 * asked for, the newest turns, the lines of the history, then what depends on the prompt, as far as the room goes.
 *
 * @param room - Tokens for all that is neither prompt nor pinned.
 */
export async function plan(input: PlanInput, room: number): Promise<Draft> {
  const draft = await planFrom(input, room, false);
  const wanted = input.relevance.ranked.slice(0, MAX_EXCERPTS);
  const given = new Set([...draft.turns, ...draft.tail.recalled].map(({ node }) => node.id));
  const isMissing = wanted.some(({ id }) => !given.has(id) && !input.scene.excluded.has(id));
  return input.budget < MIN_CACHED && isMissing ? planFrom(input, room, true) : draft;
}

/** @param isSmall - `true`: what the prompt is about comes before the newest turns and the lines. */
async function planFrom(input: PlanInput, room: number, isSmall: boolean): Promise<Draft> {
  const { project, scene, price, bodies, naming, pinned, budget } = input;
  let left = room;
  const spend = (cost: number): void => void (left -= cost);
  const isOpen = ({ id, row }: ContextNode): boolean =>
    row !== undefined && !scene.pinned.has(id) && !scene.excluded.has(id);

  const before = await take(
    input,
    scene.ancestors.filter((node) => isOpen(node) && scene.before.includes(node.id)),
    () => 'before-prompt',
  );
  const asked = await take(
    input,
    scene.ancestors.filter((node) => isAsked(scene, node) && !scene.before.includes(node.id)),
    () => 'reference',
  );
  const others = await take(
    input,
    scene.others.filter((node) => isAsked(scene, node)),
    () => 'reference',
  );
  if (scene.ancestors.length + scene.others.length > before.length) spend(price.headings());

  const earlier = scene.ancestors.filter((node) => isOpen(node) && !scene.before.includes(node.id));
  const wanted = earlier.reduce((sum, { row }) => sum + (row?.tokens ?? 0), 0);
  const kept =
    left < MIN_SHARED && !isSmall ? 0 : Math.min(Math.floor(left * EARLIER_SHARE), wanted);
  const fit = (turns: readonly Turn[], most: number, costOf: (turn: Turn) => number): Turn[] => {
    const fitting = fitTurns(input, turns, most, costOf);
    for (const turn of fitting) spend(costOf(turn));
    return fitting;
  };
  const near = fit(before, left - kept, (turn) => price.turn(turn));
  const own = fit(asked, left, (turn) => price.turn(turn));
  const references = fit(others, left, (turn) => price.reference(turn));

  const given = new Set([...near, ...own].map(({ node }) => node.id));
  const early = isSmall
    ? await planTail(input, given, left * TAIL_SHARE - MESSAGE_OVERHEAD, true)
    : NO_TAIL;
  if (early.recalled.length > 0) {
    spend(early.recalled.reduce((sum, turn) => sum + price.reference(turn), MESSAGE_OVERHEAD));
    for (const { node } of early.recalled) given.add(node.id);
  }
  const newest = await recent(input, isOpen, given, left);
  spend(newest.reduce((sum, turn) => sum + price.turn(turn), 0));
  for (const { node } of newest) given.add(node.id);

  const listed = scene.ancestors.filter((node) => isOpen(node) && !given.has(node.id));
  const gists = await gistsOf(project, bodies, listed);
  const told = listed.flatMap((node, at) => {
    const gist = gists[at];
    return gist ? [lineOf(node, { ...gist, text: naming.line(node, gist.text) })] : [];
  });
  const lines = tell(told, budget * HISTORY_SHARE, left, price);
  spend(lines.reduce((sum, line) => sum + price.line(line), 0));

  const places = new Map(scene.ancestors.map(({ id }, place) => [id, place]));
  const placeOf = ({ node }: Turn): number => places.get(node.id) ?? 0;
  const turns = [...pinned.turns, ...near, ...own, ...newest].toSorted(
    (a, b) => placeOf(a) - placeOf(b),
  );
  const inFull = new Set([...turns, ...early.recalled].map(({ node }) => node.id));
  // Their heading is one of all headings.
  const late = await planTail(input, inFull, left - MESSAGE_OVERHEAD);
  const recalled = [...early.recalled, ...late.recalled].toSorted(
    (a, b) => placeOf(a) - placeOf(b),
  );
  return {
    lines,
    turns,
    references: [...pinned.references, ...references],
    tail: { ...late, recalled },
  };
}

/**
 * Chooses what depends on the prompt: earlier turns again in full, related nodes, passages.
 *
 * @param given - The ids of the nodes that are in full already.
 * @param room - Tokens for all of it, without its heading.
 * @param isOnly - `true`: an excerpt may take all of the room.
 */
export async function planTail(
  input: PlanInput,
  given: ReadonlySet<string>,
  room: number,
  isOnly = false,
): Promise<Tail> {
  const { scene, relevance, related, bodies, naming, price, budget } = input;
  let left = room;
  const hasRoom = (cost: number): boolean => {
    if (cost > left) return false;
    left -= cost;
    return true;
  };
  const byId = new Map(scene.ancestors.map((node) => [node.id, node]));
  const recalled: Turn[] = [];
  const find = findPiece(input);
  for (const [rank, { id, reason }] of relevance.ranked.entries()) {
    const node = byId.get(id);
    const isFirst = rank < MAX_EXCERPTS;
    if (recalled.length >= MAX_RECALLED || !node?.row) continue;
    if (!isFirst && node.row.tokens > left * ROUGH) continue;
    if (given.has(id) || scene.excluded.has(id)) continue;
    const stored = await bodies.find(node);
    const whole = stored && turnOf(node, stored, reason, naming);
    if (!whole) continue;
    const share = isOnly ? left : Math.min(left * EXCERPT_OF_ROOM, budget * EXCERPT_SHARE);
    const allowed = Math.max(share, Math.min(left, MIN_EXCERPT));
    const fits = price.reference(whole) <= left;
    if (!fits && (!isFirst || allowed < Math.min(MIN_EXCERPT, budget * LEAST_EXCERPT))) continue;
    const turn = fits
      ? whole
      : price.cut(whole, price.reference(whole), allowed, find, input.isOfItems);
    if (turn.prompt + turn.response !== '' && hasRoom(price.reference(turn))) recalled.push(turn);
  }
  const most = left - budget * RELATED_SHARE;
  const shown = related.filter(
    (node) => left - price.related(node) >= most && hasRoom(price.related(node)),
  );
  const quotes = quotesOf(input, (quote) => hasRoom(price.quote(quote)));
  const order = new Map(scene.ancestors.map(({ id }, place) => [id, place]));
  return {
    recalled: recalled.toSorted(
      (a, b) => (order.get(a.node.id) ?? 0) - (order.get(b.node.id) ?? 0),
    ),
    related: shown,
    quotes,
  };
}

/** Finds the pieces of texts that the prompt is about. */
function findPiece({ project, query }: PlanInput): FindPiece {
  const { analyzer } = project.index.text;
  return (text, maxLength) => snippetOf(text, query, analyzer, { maxLength });
}

function isAsked(scene: Scene, { id }: ContextNode): boolean {
  return scene.referenced.has(id) && !scene.pinned.has(id) && !scene.excluded.has(id);
}

/** A node in full. */
export function turnOf(
  node: ContextNode,
  stored: StoredNode,
  reason: ContextReason,
  naming: Naming,
): Turn {
  const [prompt, response] = [naming.prompt(stored), naming.response(stored)];
  return { node, prompt, response, tags: stored.tags, isCut: false, reason };
}

/** Reads nodes. Those that were asked for must be there. */
async function take(
  { bodies, naming }: Pick<PlanInput, 'bodies' | 'naming'>,
  nodes: readonly ContextNode[],
  reasonOf: (node: ContextNode) => ContextReason,
): Promise<Turn[]> {
  const turns = await Promise.all(
    nodes.map(async (node) => {
      const reason = reasonOf(node);
      const isWanted = reason === 'reference' || reason === 'pinned';
      const stored = isWanted ? await bodies.get(node) : await bodies.find(node);
      return stored ? [turnOf(node, stored, reason, naming)] : [];
    }),
  );
  return turns.flat();
}

/** Halves the window until it fits; by halves, so that it stays the same for long. */
async function recent(
  input: PlanInput,
  isOpen: (node: ContextNode) => boolean,
  given: ReadonlySet<string>,
  room: number,
): Promise<readonly Turn[]> {
  const { scene, price, budget } = input;
  const share = RECENT_SHARE + HISTORY_SHARE - historyShare(scene.ancestors.length, budget);
  const ratio = await roughness(input);
  for (let limit = budget * share; limit >= MIN_RECENT; limit /= 2) {
    const nodes = newestNodes(scene.ancestors.filter(isOpen), limit * ratio);
    const turns = await take(
      input,
      nodes.filter(({ id }) => !given.has(id)),
      () => 'recent',
    );
    const cost = turns.reduce((sum, turn) => sum + price.turn(turn), 0);
    if (cost <= Math.min(room, limit * ROUGH)) return turns;
  }
  return [];
}

/** Returns the share of the budget that the lines need at most; by powers of two, so that it stays the same for long. */
function historyShare(turns: number, budget: number): number {
  const needed = 2 ** Math.ceil(Math.log2(Math.max(1, turns))) * ROUGH_LINE;
  return Math.min(HISTORY_SHARE, needed / budget);
}

/**
 * Returns by how much rough tokens are too high in a conversation: the first turns show it, which stay the same
 * while it grows.
 */
async function roughness(input: PlanInput): Promise<number> {
  const { scene, price } = input;
  const first = scene.ancestors.filter(({ row }) => row !== undefined).slice(0, MEASURED);
  const turns = await take(input, first, () => 'recent');
  const rough = turns.reduce((sum, { node }) => sum + (node.row?.tokens ?? 0), 0);
  const cost = turns.reduce((sum, turn) => sum + price.turn(turn), 0);
  return cost === 0 ? 1 : Math.min(ROUGH, Math.max(1, rough / cost));
}

/** Turns in full where they fit; the others share what is left, and are cut. */
function fitTurns(
  input: PlanInput,
  turns: readonly Turn[],
  room: number,
  costOf: (turn: Turn) => number,
): Turn[] {
  const find = findPiece(input);
  const costs = turns.map(costOf);
  const shares = shareOut(costs, room);
  return turns.flatMap((turn, at) => {
    const [cost = 0, share = 0] = [costs[at], shares[at]];
    if (cost > share && share < MIN_CUT) return [];
    const fitting =
      cost <= share ? turn : input.price.cut(turn, cost, share, find, input.isOfItems);
    return fitting.prompt + fitting.response === '' ? [] : [fitting];
  });
}

/** Halves the history until it fits; by halves, so that it stays the same for long. */
function tell(
  lines: readonly Segment[],
  limit: number,
  room: number,
  price: Price,
): readonly Segment[] {
  for (let rough = limit; rough >= MIN_HISTORY; rough /= 2) {
    const told = tellHistory(lines, rough);
    if (told.reduce((sum, line) => sum + price.line(line), 0) <= room) return told;
  }
  return [];
}

function quotesOf({ relevance, scene }: PlanInput, hasRoom: (quote: Quote) => boolean): Quote[] {
  return relevance.passages
    .map(({ id, title, text }, at) => {
      const named = title === undefined ? text : `${title}: ${text}`;
      return { id, label: letterOf(scene.others.length + at), text: named };
    })
    .filter(hasRoom);
}

/** The share of its limit to which a full window shrinks, so that it seldom moves. */
const REST = 0.6;
/** Tokens of the roles of a turn. */
const ROLES = 8;

/**
 * Returns the newest nodes, those that are given in full. They are chosen as a conversation grows: each turn
 * is added at the end, and only where they exceed the limit, the oldest ones are left out, down to a share of it, but the newest never.
 * So the window of a turn later is nearly always the same with one more at its end.
 *
 * @param limit - Rough tokens.
 */
function newestNodes(ancestors: readonly ContextNode[], limit: number): readonly ContextNode[] {
  let first = 0;
  let weight = 0;
  for (const [at, { row }] of ancestors.entries()) {
    weight += weightOf(row);
    if (weight <= limit) continue;
    while (first < at && weight > limit * REST) weight -= weightOf(ancestors[first++]?.row);
  }
  return ancestors.slice(first);
}

function weightOf(row: ContextNode['row']): number {
  return row ? row.tokens + ROLES : 0;
}
