import { createTokenEstimator, cutMiddle } from '@vizprompt/providers';
import type { Language } from '../build/language.ts';
import { PHRASES } from '../context/phrases.ts';
import { shareOut } from '../context/share-out.ts';

/** Keeps what a model is given on request within its tokens, over all its requests. */
export class DetailAllowance {
  readonly #estimator = createTokenEstimator();
  readonly #language: Language;
  #left: number;

  constructor(tokens: number, language: Language) {
    this.#left = tokens;
    this.#language = language;
  }

  /** The texts, with a mark in the middle of those that are too long. */
  cut(texts: readonly string[]): string[] {
    const shares = shareOut(
      texts.map((text) => this.#count(text)),
      this.#left,
    );
    const cut = texts.map((text, at) => this.#cutTo(text, shares[at] ?? 0));
    this.#left -= cut.reduce((sum, text) => sum + this.#count(text), 0);
    return cut;
  }

  #cutTo(text: string, tokens: number): string {
    return cutMiddle(
      text,
      (shorter) => this.#count(shorter) <= tokens,
      (characters) => PHRASES[this.#language].cut(characters),
    );
  }

  /** With what parts it from the next. */
  #count(text: string): number {
    return this.#estimator.count(`${text}\n\n`).tokens;
  }
}
