import type { ProblemCode } from './problem.ts';

/** A sentence, and what to do. `{name}` and the like stand for what it speaks of. */
type Words = readonly [message: string, suggestion?: string];

/** The messages of a language. */
export interface Messages {
  readonly sentences: Readonly<Record<ProblemCode, Words>>;
  /** What types, kinds and rules are called. */
  readonly terms: Readonly<Record<string, string>>;
  /** Between several types. */
  readonly or: string;
  meant(name: string): string;
  thereIs(names: string): string;
  readonly thereIsNone: string;
}
