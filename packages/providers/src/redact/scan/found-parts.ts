import type { IsFound, RedactionRule } from '../redaction-rule.ts';
import type { DecodedText } from './decoded-text.ts';
import { sortNearly } from './sort-nearly.ts';

/** A find, and the name of its rule. */
export interface FoundPart {
  readonly rule: string;
  readonly start: number;
  readonly end: number;
}

/** The parts of a text that rules found. Checks whether another find would change nothing. */
export class FoundParts {
  readonly #found: readonly FoundPart[];
  readonly #orders: ReadonlyMap<string, number>;
  readonly #decoded: DecodedText | undefined;
  /** Finds that do not overlap, with the longest one at the start of each, which names it. */
  #parts: { readonly start: number; end: number; first: FoundPart }[] | undefined;
  #at = 0;

  /**
   * @param found - In nearly ascending order.
   * @param orders - The places of the names of rules.
   * @param decoded - The text whose offsets are checked, if it is not that of the finds.
   */
  constructor(
    found: readonly FoundPart[],
    orders: ReadonlyMap<string, number>,
    decoded: DecodedText | undefined,
  ) {
    this.#found = found;
    this.#orders = orders;
    this.#decoded = decoded;
  }

  /** Returns a check for finds of a rule. Only the check that was returned last may be used. */
  of({ name }: RedactionRule): IsFound {
    this.#at = 0;
    const order = this.#orderOf(name);
    return (start, end) => this.#covers(start, end, order);
  }

  /** Returns a check for parts, whatever rule finds them. Only the check that was returned last may be used. */
  get all(): IsFound {
    this.#at = 0;
    return (start, end) => this.#covers(start, end, Number.MAX_SAFE_INTEGER);
  }

  #orderOf(name: string): number {
    return this.#orders.get(name) ?? Number.MAX_SAFE_INTEGER;
  }

  #covers(from: number, to: number, order: number): boolean {
    if (this.#found.length === 0) return false;
    const parts = (this.#parts ??= partsOf(this.#found));
    const start = this.#decoded?.startOf(from) ?? from;
    const end = this.#decoded?.endOf(to - 1) ?? to;
    while (this.#at < parts.length && (parts[this.#at]?.end ?? 0) <= start) this.#at++;
    const part = parts[this.#at];
    if (!part || end > part.end) return false;
    if (start !== part.start) return start > part.start;
    if (end !== part.first.end) return end < part.first.end;
    return order > this.#orderOf(part.first.rule);
  }
}

function partsOf(
  found: readonly FoundPart[],
): { readonly start: number; end: number; first: FoundPart }[] {
  const sorted = [...found];
  sortNearly(sorted, (a, b) => a.start - b.start);
  const parts: { readonly start: number; end: number; first: FoundPart }[] = [];
  let last: (typeof parts)[number] | undefined;
  for (const each of sorted) {
    if (!last || each.start >= last.end) {
      last = { start: each.start, end: each.end, first: each };
      parts.push(last);
      continue;
    }
    if (each.start === last.start && each.end > last.first.end) last.first = each;
    last.end = Math.max(last.end, each.end);
  }
  return parts;
}
