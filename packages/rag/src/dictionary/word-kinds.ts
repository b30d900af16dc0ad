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

/** Numbers things as they come, the same thing with the same number. */
class Numbering {
  readonly keys: string[] = [];
  readonly #numbers = new Map<string, number>();

  of(thing: unknown): number {
    const key = JSON.stringify(thing);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.keys.length);
    return this.keys.push(key) - 1;
  }
}

/** Gives entries that connect, mean and end alike the same number. */
export class KindNumbering {
  readonly #kinds = new Numbering();
  readonly #features = new Numbering();
  readonly #rules = new Numbering();

  of(entry: SourceEntry): number {
    const features = this.#features.of(entry.features);
    const rule = this.#rules.of(basicRule(entry));
    return this.#kinds.of([entry.left, entry.right, features, rule]);
  }

  finish(): WordKinds {
    const kinds = this.#kinds.keys.map(
      (key) => JSON.parse(key) as [number, number, number, number],
    );
    return {
      left: Uint16Array.from(kinds, ([left]) => left),
      right: Uint16Array.from(kinds, ([, right]) => right),
      features: Uint16Array.from(kinds, ([, , features]) => features),
      rules: Uint8Array.from(kinds, ([, , , rule]) => rule),
      allFeatures: this.#features.keys.map((key) => JSON.parse(key) as string[]),
      allRules: this.#rules.keys.map((key) => JSON.parse(key) as BasicRule),
    };
  }
}

function basicRule({ surface, basic }: SourceEntry): BasicRule {
  if (basic === '*') return null;
  let same = 0;
  while (same < surface.length && surface[same] === basic[same]) same++;
  return [surface.length - same, basic.slice(same)];
}
