import { fillers } from './fillers.ts';

/** A prompt and its answer. */
export type Said = readonly [prompt: string, response: string];

/** A prompt to build a context for. */
export interface Ask {
  readonly prompt: string;
  /** The place of the turn that its answer needs, from 0 on. */
  readonly turn: number;
  /** The words that it needs from that turn, verbatim. */
  readonly fact: string;
}

/** A conversation, and prompts that continue it. */
export interface Talk {
  readonly language: 'en' | 'ja';
  readonly turns: readonly Said[];
  readonly asks: readonly Ask[];
}

let made = 0;

/**
 * Writes a conversation.
 *
 * @param said - Its turns; a number: as many turns about something else.
 * @param asks - Prompts, each with the turn that it needs and the fact in it.
 */
export function talk(
  language: Talk['language'],
  said: readonly (Said | number)[],
  ...asks: readonly (readonly [prompt: string, turn: number, fact: string])[]
): Talk {
  const seed = made++;
  const turns = said.flatMap((turn, at) =>
    typeof turn === 'number' ? fillers(language, turn, seed * 7 + at) : [turn],
  );
  for (const [prompt, turn, fact] of asks) {
    if (!turns[turn]?.join('\n').includes(fact)) {
      throw new Error(`'${prompt}': the turn ${turn} does not say '${fact}'`);
    }
  }
  return { language, turns, asks: asks.map(([prompt, turn, fact]) => ({ prompt, turn, fact })) };
}
