import { Numbering } from '../binary/numbering.ts';
import type { SourceEntry } from './source-entries.ts';

/**
 * How a basic form is made of a surface: `cut` units go, `add` comes. `null`: there is none. All
 * the endings of the language need no fifty of these, so that basic forms need no place.
 */
export type BasicRule = readonly [cut: number, add: string] | null;

/** What many entries share. All lists go by the number of the kind. */
export interface WordKinds {
  readonly left: Uint16Array;
  readonly right: Uint16Array;
  /** Index into `allFeatures`. */
  readonly features: Uint16Array;
  /** Index into `allRules`. */
  readonly rules: Uint8Array;
  readonly allFeatures: readonly (readonly string[])[];
  readonly allRules: readonly BasicRule[];
}

/** Gives entries that connect, mean and end alike the same number. */
export class KindNumbering {
  readonly #kinds = new Numbering<readonly [number, number, number, number]>();
  readonly #features = new Numbering<readonly string[]>();
  readonly #rules = new Numbering<BasicRule>();

  of(entry: SourceEntry): number {
    const rule = basicRule(entry);
    const kind = [
      entry.left,
      entry.right,
      this.#features.of(entry.features.join(), entry.features),
      this.#rules.of(rule?.join() ?? '', rule),
    ] as const;
    return this.#kinds.of(kind.join(), kind);
  }

  finish(): WordKinds {
    const kinds = this.#kinds.things;
    return {
      left: Uint16Array.from(kinds, ([left]) => left),
      right: Uint16Array.from(kinds, ([, right]) => right),
      features: Uint16Array.from(kinds, ([, , features]) => features),
      rules: Uint8Array.from(kinds, ([, , , rule]) => rule),
      allFeatures: this.#features.things,
      allRules: this.#rules.things,
    };
  }
}

function basicRule({ surface, basic }: SourceEntry): BasicRule {
  if (basic === '*') return null;
  let same = 0;
  while (same < surface.length && surface[same] === basic[same]) same++;
  return [surface.length - same, basic.slice(same)];
}
