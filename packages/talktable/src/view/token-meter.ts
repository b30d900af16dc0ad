import { createTokenEstimator, type TokenCount, type TokenCounter } from '@vizprompt/providers';
import type { TalkTurn } from '../log/conversation.ts';

/** How much one answer moves the factor. */
const LEARNING_RATE = 0.2;

/** Texts other than turns whose weight is kept: scene, topic and cue are the same in every view. */
const KEPT_TEXTS = 8;

/** Longer ones are not: they are passages, or turns that are cut. */
const MAX_KEPT_CHARACTERS = 4000;

/** The estimated tokens of turns, the same for all who are shown them. */
const weights = new WeakMap<TalkTurn, number>();

/**
 * Counts the tokens of one speaker's model by estimate, learns from what the model itself counts, and
 * weighs each turn, and the text around the turns, only once: a talk is shown again and again.
 */
export class TokenMeter implements TokenCounter {
  readonly #base = createTokenEstimator();
  readonly #texts = new Map<string, number>();
  #factor = 1;

  count(text: string): TokenCount {
    return { tokens: Math.ceil(this.#weigh(text) * this.#factor), exact: false };
  }

  /** Returns a turn with the name of its speaker. */
  countTurn(turn: TalkTurn): number {
    const known = weights.get(turn);
    const tokens = known ?? this.#base.count(`${turn.speaker}: ${turn.text}`).tokens;
    if (known === undefined) weights.set(turn, tokens);
    return Math.ceil(tokens * this.#factor);
  }

  /**
   * @param estimated - The estimate of this meter for a prompt.
   * @param counted - The model's own count of it.
   */
  learn(estimated: number, counted: number): void {
    if (!(estimated > 0) || !(counted > 0)) return;
    const wanted = (counted / estimated) * this.#factor;
    this.#factor += LEARNING_RATE * (wanted - this.#factor);
  }

  #weigh(text: string): number {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const { tokens } = this.#base.count(text);
    if (text.length > MAX_KEPT_CHARACTERS) return tokens;
    if (this.#texts.size >= KEPT_TEXTS) {
      const [oldest = ''] = this.#texts.keys();
      this.#texts.delete(oldest);
    }
    this.#texts.set(text, tokens);
    return tokens;
  }
}
