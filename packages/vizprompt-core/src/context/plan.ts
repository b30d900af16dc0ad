import type { StoredNode } from '../node/node.ts';
import type { Bodies } from './bodies.ts';
import type { Draft, Quote, Turn } from './draft.ts';
import { lineOf, type Segment, tellHistory } from './history.ts';
import type { Price } from './price.ts';
import type { Relevance } from './relevance.ts';
import { type ContextNode, letterOf, type Scene } from './scene.ts';
import { shareOut } from './share-out.ts';

/** What a plan is made from. */
export interface PlanInput {
  readonly scene: Scene;
  readonly relevance: Relevance;
  readonly bodies: Bodies;
  readonly price: Price;
  /** Pinned nodes: they are in, whatever they cost. */
  readonly pinned: Pick<Draft, 'turns' | 'references'>;
  readonly budget: number;
}

/** The lines may take this share of the budget. It depends on nothing else, so that they stay. */
const HISTORY_SHARE = 0.4;
const MIN_HISTORY = 16;
/** A turn that would be cut to less than this is given as a line. */
const MIN_CUT = 32;
/** By this factor, rough tokens may be too high. */
const ROUGH = 2;

/**
 * Chooses what a context holds: the node before the prompt, then references, then the lines of the
 * history, then what the prompt is about, as far as the room goes.
 *
 * @param room - Tokens for all that is neither prompt nor pinned.
 */
export async function plan(input: PlanInput, room: number): Promise<Draft> {
  const { scene, price, bodies, pinned } = input;
  let left = room;
  const spend = (cost: number): void => void (left -= cost);

  const before = await take(
    input,
    scene.ancestors.filter(({ id }) => scene.before.includes(id) && !scene.pinned.has(id)),
    'before-prompt',
  );
  const isAsked = ({ id }: ContextNode): boolean =>
    scene.referenced.has(id) && !scene.pinned.has(id) && !scene.excluded.has(id);
  const near = fit(before, left, price, (turn) => price.turn(turn), spend);
  const inFull = new Set(near.map(({ node }) => node.id));

  const asked = await take(
    input,
    scene.ancestors.filter((node) => isAsked(node) && !scene.before.includes(node.id)),
    'reference',
  );
  const others = await take(input, scene.others.filter(isAsked), 'reference');
  if (scene.ancestors.length + scene.others.length > near.length) spend(price.headings());
  const own = fit(asked, left, price, (turn) => price.turn(turn), spend);
  const references = fit(others, left, price, (turn) => price.reference(turn), spend);

  const { pinned: pins, excluded } = scene;
  const listed = scene.ancestors.filter(
    ({ id, row }) => row && !inFull.has(id) && !pins.has(id) && !excluded.has(id),
  );
  const lines = tell(listed.map(lineOf), input.budget * HISTORY_SHARE, left, price);
  spend(lines.reduce((sum, line) => sum + price.line(line), 0));

  const turns = [...pinned.turns, ...near, ...own];
  const given = new Set(turns.map(({ node }) => node.id));
  const byId = new Map(scene.ancestors.map((node) => [node.id, node]));
  const alone = new Set(lines.flatMap(({ level, nodes }) => (level === 0 ? nodes : [])));
  for (const id of input.relevance.ranked) {
    const node = byId.get(id);
    if (!node?.row || given.has(id) || excluded.has(id) || node.row.tokens > left * ROUGH) continue;
    const stored = await bodies.find(node);
    if (!stored || (alone.has(node) && saysAll(node, stored))) continue;
    const turn = turnOf(node, stored, 'relevant');
    const cost = price.turn(turn);
    if (cost > left) continue;
    spend(cost);
    turns.push(turn);
  }
  const places = new Map(scene.ancestors.map(({ id }, place) => [id, place]));
  const placeOf = ({ node }: Turn): number => places.get(node.id) ?? 0;
  return {
    lines,
    turns: turns.toSorted((a, b) => placeOf(a) - placeOf(b)),
    references: [...pinned.references, ...references],
    quotes: quote(input, scene.others.length, (text) => {
      const cost = price.quote(text);
      if (cost > left) return false;
      spend(cost);
      return true;
    }),
  };
}

/** A node in full. */
export function turnOf(node: ContextNode, stored: StoredNode, reason: Turn['reason']): Turn {
  const { prompt, response, tags } = stored;
  return { node, prompt, response, tags, isCut: false, reason };
}

async function take(
  { bodies }: PlanInput,
  nodes: readonly ContextNode[],
  reason: 'before-prompt' | 'reference',
): Promise<Turn[]> {
  const turns: Turn[] = [];
  for (const node of nodes) {
    const stored = reason === 'reference' ? await bodies.get(node) : await bodies.find(node);
    if (stored) turns.push(turnOf(node, stored, reason));
  }
  return turns;
}

/** Turns in full where they fit; the others share what is left, and are cut. */
function fit(
  turns: readonly Turn[],
  room: number,
  price: Price,
  costOf: (turn: Turn) => number,
  spend: (cost: number) => void,
): Turn[] {
  const costs = turns.map(costOf);
  const shares = shareOut(costs, room);
  return turns.flatMap((turn, at) => {
    const [cost = 0, share = 0] = [costs[at], shares[at]];
    if (cost > share && share < MIN_CUT) return [];
    const fitting = cost <= share ? turn : price.cut(turn, cost, share);
    if (fitting.prompt + fitting.response === '') return [];
    spend(costOf(fitting));
    return [fitting];
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

/** Whether the line of a node holds all of it, as those of very short nodes do. */
function saysAll({ row }: ContextNode, { prompt, response, summary }: StoredNode): boolean {
  const squeeze = (text: string): string => text.replaceAll(/\s+/g, '');
  const whole = squeeze(prompt + response);
  return row?.is_outdated === 0 && whole.length < 600 && squeeze(summary.text) === whole;
}

function quote(
  { relevance }: PlanInput,
  first: number,
  hasRoom: (quote: Quote) => boolean,
): Quote[] {
  return relevance.passages
    .map(({ id, title, text }, at) => {
      const named = title === undefined ? text : `${title}: ${text}`;
      return { id, label: letterOf(first + at), text: named };
    })
    .filter(hasRoom);
}
