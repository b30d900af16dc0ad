import { type Message, textOf, type TokenCounter } from '@vizprompt/providers';
import { cutMiddle } from '@vizprompt/providers/internal';
import type { StoredNode } from '../node/node.ts';
import { lineOf, type Segment, tellHistory } from './history.ts';
import type { Relevance } from './relevance.ts';
import { type Bodies, type ContextNode, letterOf, type Scene } from './scene.ts';
import {
  type Draft,
  type Phrases,
  type Quote,
  type Turn,
  writeQuote,
  writeReference,
  writeTurn,
} from './write-context.ts';

/** The input of a plan. */
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
    quotes: quotesOf(input, scene.others.length, (text) => {
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

function quotesOf(
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

/** Prices the pieces of a context: as messages or as text, whichever costs more. */
export class Price {
  readonly #meter: Meter;
  readonly #phrases: Phrases;

  constructor(meter: Meter, phrases: Phrases) {
    this.#meter = meter;
    this.#phrases = phrases;
  }

  line({ text }: Segment): number {
    return this.#meter.count(`${text}\n`);
  }

  turn(turn: Turn): number {
    const asText = this.#meter.count(`${writeTurn(turn, this.#phrases)}\n`);
    const asMessages = [turn.prompt, turn.response]
      .filter((text) => text !== '')
      .reduce((sum, text) => sum + this.#meter.count(text) + MESSAGE_OVERHEAD, 0);
    return Math.max(asText, asMessages);
  }

  reference(turn: Turn): number {
    return this.#meter.count(`${writeReference(turn, this.#phrases)}\n`);
  }

  quote(quote: Quote): number {
    return this.#meter.count(`${writeQuote(quote)}\n`);
  }

  /** All headings together. */
  headings(): number {
    const { intro, current, history, references, hint } = this.#phrases;
    const text = [
      intro,
      '',
      `1. ${current}`,
      '',
      `2. ${history}`,
      '',
      `3. ${references}`,
      '',
      hint,
    ];
    return this.#meter.count(`${text.join('\n')}\n`) + MESSAGE_OVERHEAD;
  }

  /** A turn with its middle left out, so that it costs no more than it may. */
  cut(turn: Turn, cost: number, allowed: number): Turn {
    const needs = [turn.prompt, turn.response].map((text) => this.#meter.count(text));
    const rest = cost - needs.reduce((sum, need) => sum + need, 0);
    const [forPrompt = 0, forResponse = 0] = shareOut(needs, allowed - rest);
    const cutTo = (text: string, tokens: number): string =>
      cutMiddle(
        text,
        (shorter) => this.#meter.count(shorter) <= tokens,
        (characters) => this.#phrases.cut(characters),
      );
    return {
      ...turn,
      prompt: cutTo(turn.prompt, forPrompt),
      response: cutTo(turn.response, forResponse),
      isCut: true,
    };
  }
}

/** The most tokens that the role and the borders of a message cost with any provider. */
export const MESSAGE_OVERHEAD = 4;
/** The tokens of the beginning of the answer. */
const REPLY_OVERHEAD = 3;

/** Counts the tokens of a context; what was counted once is remembered. */
export class Meter {
  readonly #counter: TokenCounter;
  readonly #known = new Map<string, number>();
  #isExact = true;

  constructor(counter: TokenCounter) {
    this.#counter = counter;
  }

  /** Whether all that was counted was counted exactly. */
  get isExact(): boolean {
    return this.#isExact;
  }

  /** Tokens of a text. */
  count(text: string): number {
    if (text === '') return 0;
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const { tokens, exact } = this.#counter.count(text);
    this.#isExact &&= exact;
    this.#known.set(text, tokens);
    return tokens;
  }

  /** Tokens of messages, as a provider counts them. */
  countMessages(messages: readonly Message[]): number {
    return messages.reduce(
      (sum, message) => sum + MESSAGE_OVERHEAD + this.count(textOf(message)),
      REPLY_OVERHEAD,
    );
  }
}

/**
 * Shares out what there is: whoever needs less than an equal share gets all, and the others share
 * what is left.
 *
 * @returns One share for each need, in their order; together at most `available`.
 */
export function shareOut(needs: readonly number[], available: number): number[] {
  const shares = needs.map(() => 0);
  const byNeed = [...needs.entries()].toSorted(([a, x], [b, y]) => x - y || a - b);
  let left = Math.max(0, available);
  for (const [turn, [place, need]] of byNeed.entries()) {
    const share = Math.min(need, Math.floor(left / (needs.length - turn)));
    shares[place] = share;
    left -= share;
  }
  return shares;
}
