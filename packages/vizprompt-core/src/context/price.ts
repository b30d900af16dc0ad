import { type Message, textOf, type TokenCounter } from '@vizprompt/providers';
import { cutMiddle } from '@vizprompt/providers/internal';
import {
  type Phrases,
  type Quote,
  type RelatedNode,
  type Turn,
  writeQuote,
  writeReference,
  writeRelated,
  writeTurn,
} from './write-context.ts';

/** Prices the pieces of a context. */
export class Price {
  readonly #meter: Meter;
  readonly #phrases: Phrases;

  constructor(meter: Meter, phrases: Phrases) {
    this.#meter = meter;
    this.#phrases = phrases;
  }

  line({ text }: { readonly text: string }): number {
    return this.#meter.count(`${text}\n`);
  }

  /** Returns a turn as messages or as text, whichever costs more. */
  turn(turn: Turn): number {
    const asText = this.#meter.count(`${writeTurn(turn, this.#phrases)}\n`);
    return Math.max(asText, this.messages(turn));
  }

  /** Returns a turn as messages. */
  messages({ prompt, response }: Pick<Turn, 'prompt' | 'response'>): number {
    return [prompt, response]
      .filter((text) => text !== '')
      .reduce((sum, text) => sum + this.#meter.count(text) + MESSAGE_OVERHEAD, 0);
  }

  reference(turn: Turn): number {
    return this.#meter.count(`${writeReference(turn, this.#phrases)}\n`);
  }

  quote(quote: Quote): number {
    return this.#meter.count(`${writeQuote(quote)}\n`);
  }

  related(related: RelatedNode): number {
    return this.#meter.count(`${writeRelated(related)}\n`);
  }

  /** Returns the message that the prompt's own references are in, without them. */
  tail(): number {
    const { references, hint } = this.#phrases;
    return this.#meter.count(`${references}\n${hint}\n`) + MESSAGE_OVERHEAD;
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

  /**
   * Returns a turn that costs no more than it may: of each text the beginning, the end and, if a search finds one, the
   * piece that the prompt is about.
   *
   * @param find - Returns that piece of a text, of at most this many characters; the beginning if nothing is found.
   */
  cut(turn: Turn, cost: number, allowed: number, find: FindPiece): Turn {
    const needs = [turn.prompt, turn.response].map((text) => this.#meter.count(text));
    const rest = cost - needs.reduce((sum, need) => sum + need, 0);
    const [forPrompt = 0, forResponse = 0] = shareOut(needs, allowed - rest);
    return {
      ...turn,
      prompt: this.#cutAround(turn.prompt, forPrompt, find),
      response: this.#cutAround(turn.response, forResponse, find),
      isCut: true,
    };
  }

  #cutAround(text: string, tokens: number, find: FindPiece): string {
    const needed = this.#meter.count(text);
    if (needed <= tokens) return text;
    const length = Math.floor((text.length * tokens * PIECE_SHARE) / needed);
    if (length < 1) return this.#cutMiddle(text, tokens);
    const piece = find(text, length);
    const left = tokens - this.#meter.count(piece.text);
    if (piece.start === 0 || left <= 0) return this.#cutMiddle(text, tokens);
    const end = piece.start + piece.text.length;
    const before = this.#cutMiddle(text.slice(0, piece.start), left / 2);
    const after = this.#cutMiddle(text.slice(end), left - this.#meter.count(before));
    const whole = before + piece.text + after;
    return this.#meter.count(whole) <= tokens ? whole : this.#cutMiddle(text, tokens);
  }

  #cutMiddle(text: string, tokens: number): string {
    return cutMiddle(
      text,
      (shorter) => this.#meter.count(shorter) <= tokens,
      (characters) => this.#phrases.cut(characters),
    );
  }
}

/** Finds the piece of a text that a prompt is about. */
export type FindPiece = (
  text: string,
  length: number,
) => { readonly text: string; readonly start: number };

/** The piece that the prompt is about takes this share of a text that is cut. */
const PIECE_SHARE = 0.5;

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

  /** `true`: every count is exact. */
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
 * Divides the available amount: a need below an equal share is met in full, and the others share
 * the rest.
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
