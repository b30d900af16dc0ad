import { cutMiddle } from '@vizprompt/providers';
import type { Quote, Turn } from './draft.ts';
import type { Segment } from './history.ts';
import { MESSAGE_OVERHEAD, type Meter } from './meter.ts';
import type { Phrases } from './phrases.ts';
import { shareOut } from './share-out.ts';
import { writeQuote, writeReference, writeTurn } from './write-context.ts';

/** What the pieces of a context cost: in messages or in the text form, whichever is more. */
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
