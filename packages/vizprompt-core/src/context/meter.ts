import { textOf, type Message, type TokenCounter } from '@vizprompt/providers';

/** What the role and the borders of a message cost with any provider, at most. */
export const MESSAGE_OVERHEAD = 4;
/** What the beginning of the answer costs. */
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
