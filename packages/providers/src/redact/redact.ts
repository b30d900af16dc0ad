import { checkArgument, checkOptions } from '../input/check-input.ts';
import { ARRAY, either, type Kinds, NUMBER, OBJECT, optional, TEXT } from '../input/kinds.ts';
import { codeAt } from './code-at.ts';
import {
  heldTexts,
  type IsFound,
  type Offsets,
  type Redaction,
  type RedactionRule,
  secretOf,
} from './redaction-rule.ts';
import { defaultRedactionRules } from './rules.ts';
import { bitsPerCharacter } from './rules/judge.ts';
import { type Breaks, breaksInKeys, EDGE, endOfLine, partsAround } from './scan/broken-lines.ts';
import { CoveredParts } from './scan/covered-parts.ts';
import { DECODABLE, decodeText, type DecodedText } from './scan/decoded-text.ts';
import { decodeRuns, SHORTEST_RUN } from './scan/encoded-text.ts';
import { findImplied } from './scan/implied-secrets.ts';
import { KeywordRules } from './scan/keyword-rules.ts';
import { assertRule, type RuleChanges, selectRules } from './select-rules.ts';

export type { Redaction } from './redaction-rule.ts';

/** Options of {@link redact}. */
export interface RedactOptions {
  /**
   * A list to use instead of the default rules, or what to add to them and which to remove by name.
   * Default: {@link defaultRedactionRules}.
   */
  readonly rules?: readonly RedactionRule[] | RuleChanges | undefined;
  /**
   * Also removes runs of 20 or more letters, digits and `+/_-` with more than this many bits of
   * Shannon entropy a character; 4.5 is a good start. Default: off, as it also hits hashes and ids.
   */
  readonly entropy?: number | undefined;
}

/** The text without its secrets, and what was removed. */
export interface RedactResult {
  readonly text: string;
  readonly redactions: readonly Redaction[];
}

interface Found extends Redaction {
  rule: string;
  end: number;
}

/** The distance from an escape at which its meaning does not matter: the decoded text has the other ones. */
const BEHIND_ESCAPE = 64;
const BEFORE_ESCAPE = 160;

const DENSE_RUN = /[A-Za-z0-9+/_-]{20}[A-Za-z0-9+/_-]*/g;

const KINDS: Kinds<RedactOptions> = {
  rules: optional(either<never, never>(ARRAY, OBJECT)),
  entropy: optional(NUMBER),
};

/**
 * Replaces secrets by marks such as `[redacted:github-token]`: known formats, values that their names say are
 * secret, and everything between `<private>`, with attributes or not, and its matching `</private>`, or the end
 * of the text if that is missing. Escapes of JSON, HTML and addresses, the colors of a terminal, Base64 and hex hide
 * nothing.
 * Where finds overlap, all that they cover is removed, in the name of the earlier and then the longer one.
 * Redacting a redacted text changes nothing.
 *
 * @throws RangeError that names the rule if the flags of its pattern do not fit, if a member that is called is no
 * function, or if it has `mayFollow` without `keywords`; or if there is no rule of a name to remove.
 *
 * @example
 * ```ts
 * redact('key: ghp_0123456789abcdef0123456789abcdef0123').text; // 'key: [redacted:github-token]'
 * ```
 */
export function redact(text: string, options: RedactOptions = {}): RedactResult {
  checkArgument('the text of redact', text, TEXT);
  checkOptions('redact', options, KINDS);
  const rules = compiled(options.rules);
  const found: Found[] = [];
  let last: Found | undefined;
  const add: Add = (rule, start, end) => {
    if (end <= start || isMark(text, start, end)) return;
    if (last?.start !== start || last.end !== end) {
      last = { rule, start, end };
      found.push(last);
    } else if (orderOf(rules.orders, rule) < orderOf(rules.orders, last.rule)) last.rule = rule;
  };
  try {
    findAll(text, rules, add, MOST_ENCODINGS, found);
    if (found.length > 0) findImplied(text, [...found], add);
  } finally {
    for (const forget of heldTexts) forget();
    heldTexts.clear();
  }
  if (options.entropy !== undefined) addDense(text, options.entropy, found);
  if (found.length === 0) return { text, redactions: [] };
  sort(found, rules.orders);
  return replace(text, found);
}

type Add = (rule: string, start: number, end: number) => void;

const NO_BREAKS: Breaks = { all: new Set(), atWidth: new Set() };

/** Text may be in Base64 that is in Base64. */
const MOST_ENCODINGS = 2;

/**
 * Adds the secrets of a text.
 *
 * @param found - All that was added, if its offsets are those of this text. Default: none.
 */
function findAll(
  text: string,
  rules: CompiledRules,
  report: Add,
  encodings: number,
  found: readonly Redaction[] = [],
): void {
  const breaks = text.includes('\n') ? breaksInKeys(text) : NO_BREAKS;
  const ends = new Map<number, string>();
  const add: Add =
    breaks.all.size === 0
      ? report
      : (rule, start, end) => {
          const other = ends.get(end);
          if (other === undefined || orderOf(rules.orders, rule) < orderOf(rules.orders, other))
            ends.set(end, rule);
          report(rule, start, end);
        };
  const decoded = DECODABLE.test(text) ? decodeText(text) : undefined;
  const isFar = decoded ? findKeyed(text, decoded, rules, add) : rules.keyed.find(text, add);
  const parts = new FoundParts(found, rules.orders, decoded);
  const plain = decoded?.text ?? text;
  for (const rule of rules.others) {
    const { name, literal, find, minLength = 0 } = rule;
    if (literal !== undefined && !text.includes(literal)) continue;
    if (!find) addMatches(text, rule, add);
    else if (!hasRun(literal === undefined ? plain : text, minLength)) continue;
    else if (!decoded) for (const [start, end] of find(text, parts.of(rule))) add(name, start, end);
    else if (literal !== undefined)
      for (const [start, end] of find(text, isNever)) add(name, start, end);
    else
      for (const [start, end] of find(decoded.text, parts.of(rule)))
        add(name, decoded.startOf(start), decoded.endOf(end - 1));
  }
  const places = [...breaks.all];
  const joined = partsToJoin(text, places, isFar).map((part) => {
    const within = decodeText(text, breaks.all, part);
    return { within, add: withoutEdges(text, part, report) };
  });
  for (const { within, add: addWithin } of joined)
    if (within) findAcross(text, within, places, breaks.atWidth, rules, ends, addWithin);
  if (encodings === 0) return;
  findEncoded(plain, decoded, parts.all, rules, report, encodings);
  if (breaks.atWidth.size === 0) return;
  for (const { within, add: addWithin } of joined)
    if (within) findEncoded(within.text, within, isNever, rules, addWithin, encodings);
}

/** Returns the parts of a text in which lines are joined: those near breaks, or all if a secret may be far from its keyword. */
function partsToJoin(text: string, breaks: readonly number[], isFar: boolean): readonly Offsets[] {
  if (breaks.length === 0) return [];
  return isFar ? [[0, text.length]] : partsAround(text, breaks);
}

/** Adds what is found in a part of a text, without what may be found as the part ends near it. */
function withoutEdges(text: string, [from, to]: Offsets, add: Add): Add {
  const first = from === 0 ? 0 : from + EDGE;
  const last = to === text.length ? to : to - EDGE;
  return (rule, start, end) => {
    if (start >= first && end <= last) add(rule, start, end);
  };
}

/** Adds the secrets in the texts that are written in Base64 or hex in a text. */
function findEncoded(
  text: string,
  decoded: DecodedText | undefined,
  isFound: IsFound,
  rules: CompiledRules,
  report: Add,
  encodings: number,
): void {
  if (!hasRun(text, SHORTEST_RUN)) return;
  const encoded = decodeRuns(text, isFound);
  if (!encoded) return;
  const add: Add = (rule, from, to) => {
    const [start, end] = encoded.rangeOf(from, to);
    report(rule, decoded?.startOf(start) ?? start, decoded?.endOf(end - 1) ?? end);
  };
  findAll(encoded.text, rules, add, encodings - 1);
}

/** A name with digits in the line after a secret is at most as long: `RTX4090Ti`. */
const LONGEST_NAME = 12;

/**
 * Adds the secrets in which lines are broken.
 *
 * @param decoded - The text, or a part of it, in which they are joined.
 * @param places - The newlines at which they are broken.
 * @param atWidth - Those at a width.
 * @param ends - The rules that found a secret up to an offset. One that a rule of a format found is whole, and so is one
 * that ends with padding, or that the same rule found if what is next may be a name; but in lines of one width none is.
 */
function findAcross(
  text: string,
  decoded: DecodedText,
  places: readonly number[],
  atWidth: ReadonlySet<number>,
  { keyed, others, orders }: CompiledRules,
  ends: ReadonlyMap<number, string>,
  report: Add,
): void {
  const add: Add = (rule, from, to) => {
    const start = decoded.startOf(from);
    const end = decoded.endOf(to - 1);
    const newline = firstFrom(places, start);
    if (newline === undefined || newline >= end) {
      // Its name may be broken.
      if (atWidth.size > 0) report(rule, start, end);
      return;
    }
    const lineEnd = endOfLine(text, newline);
    const other = atWidth.has(newline) ? undefined : ends.get(lineEnd);
    if (other !== undefined) {
      if (text[lineEnd - 1] === '=') return;
      const order = orderOf(orders, rule) - orderOf(orders, other);
      const next = text.indexOf('\n', newline + 1);
      const isLong = (next < 0 ? end : Math.min(next, end)) - newline > LONGEST_NAME;
      if (order > 0 || (order === 0 && !isLong)) return;
    }
    report(rule, start, end);
  };
  keyed.find(decoded.text, add);
  for (const { name, literal, find } of others) {
    if (literal !== undefined || !find) continue;
    for (const [start, end] of find(decoded.text, isNever)) add(name, start, end);
  }
}

/** Returns the first of ascending places that is not before a place. */
function firstFrom(places: readonly number[], place: number): number | undefined {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  return places[low];
}

/** Checks whether a text has this many characters without white space: most texts of words have none as long as a key. */
function hasRun(text: string, length: number): boolean {
  for (let from = 0; from + length <= text.length;) {
    let at = from + length - 1;
    while (at >= from && text.charCodeAt(at) > SPACE) at--;
    if (at < from) return true;
    from = at + 1;
  }
  return false;
}

function isNever(): boolean {
  return false;
}

/**
 * Adds what rules find at their keywords in a text without its escapes, and in the text as it is near escapes.
 *
 * @returns True if a secret may be far from its keyword.
 */
function findKeyed(
  text: string,
  decoded: DecodedText,
  { keyed }: CompiledRules,
  add: Add,
): boolean {
  const covered = new CoveredParts();
  const isFar = keyed.find(decoded.text, (rule, start, end, keyword) => {
    const from = decoded.startOf(start);
    const to = decoded.endOf(end - 1);
    add(rule, from, to);
    // A former `%20` may be a part of the secret.
    if (codeAt(text, to) === PERCENT) return;
    covered.add(Math.min(from, decoded.startOf(keyword)), to);
  });
  // Far from escapes, the text is as it was.
  decoded.eachPlainPart(BEHIND_ESCAPE, BEFORE_ESCAPE, (start, end) => {
    covered.add(start, end);
  });
  covered.join();
  return keyed.find(text, add, covered) || isFar;
}

/** Sorts finds, which are nearly in order. Where several find the same, the first rule names it. */
function sort(found: Found[], orders: ReadonlyMap<string, number>): void {
  sortNearly(
    found,
    (a, b) =>
      a.start - b.start || b.end - a.end || orderOf(orders, a.rule) - orderOf(orders, b.rule),
  );
}

function orderOf(orders: ReadonlyMap<string, number>, name: string): number {
  return orders.get(name) ?? Number.MAX_SAFE_INTEGER;
}

/** Rules, ready to be looked for. */
interface CompiledRules {
  readonly rules: readonly RedactionRule[];
  readonly keyed: KeywordRules;
  /** Those without keywords. */
  readonly others: readonly RedactionRule[];
  /** How many rules there were: a list may have more now. */
  readonly count: number;
  /** The places of the names of rules. */
  readonly orders: ReadonlyMap<string, number>;
}

const known = new WeakMap<readonly RedactionRule[] | RuleChanges, CompiledRules>();

function compiled(
  given: readonly RedactionRule[] | RuleChanges = defaultRedactionRules,
): CompiledRules {
  const ready = known.get(given);
  if (ready && ready.count === ready.rules.length) return ready;
  const rules = selectRules(given);
  for (const rule of rules) assertRule(rule);
  const made = {
    rules,
    keyed: new KeywordRules(rules.filter(({ keywords }) => keywords !== undefined)),
    others: rules.filter(({ keywords }) => keywords === undefined),
    count: rules.length,
    orders: new Map(rules.map(({ name }, order) => [name, order] as const).toReversed()),
  };
  known.set(given, made);
  return made;
}

function addMatches(text: string, rule: RedactionRule, add: Add): void {
  const { name, pattern, entropy, accepts } = rule;
  // `matchAll` copies the pattern, and most texts hold no secret.
  pattern.lastIndex = 0;
  if (!pattern.test(text)) return;
  pattern.lastIndex = 0;
  for (const match of text.matchAll(pattern)) {
    if (accepts?.(match) === false) continue;
    const [start, end] = secretOf(match);
    if (entropy !== undefined && bitsPerCharacter(text.slice(start, end)) < entropy) continue;
    add(name, start, end);
  }
}

function addDense(text: string, entropy: number, found: Found[]): void {
  for (const match of text.matchAll(DENSE_RUN)) {
    if (bitsPerCharacter(match[0]) <= entropy) continue;
    const end = match.index + match[0].length;
    found.push({ rule: 'entropy', start: match.index, end });
  }
}

const SPACE = 32;
const PERCENT = 37;
const BRACKET = 91;
const MARK_LENGTH = 80;

function isMark(text: string, start: number, end: number): boolean {
  return (
    codeAt(text, start) === BRACKET &&
    end - start < MARK_LENGTH &&
    /^\[redacted:[\w-][\w-]*\]$/.test(text.slice(start, end))
  );
}

function replace(text: string, found: readonly Found[]): RedactResult {
  const redactions: Found[] = [];
  let rest = '';
  let last: Found | undefined;
  let done = 0;
  let mark = '';
  for (const next of found) {
    if (last && next.start < last.end) {
      last.end = Math.max(last.end, next.end);
      done = last.end;
      continue;
    }
    if (last?.rule !== next.rule) mark = `[redacted:${next.rule}]`;
    rest += text.slice(done, next.start) + mark;
    done = next.end;
    redactions.push(next);
    last = next;
  }
  return { text: rest + text.slice(done), redactions };
}

/** The parts of a text that rules found. Checks whether another find would change nothing. */
class FoundParts {
  readonly #found: readonly Redaction[];
  readonly #orders: ReadonlyMap<string, number>;
  readonly #decoded: DecodedText | undefined;
  /** Finds that do not overlap, with the longest one at the start of each, which names it. */
  #parts: { readonly start: number; end: number; first: Redaction }[] | undefined;
  #at = 0;

  /**
   * @param found - In nearly ascending order.
   * @param orders - The places of the names of rules.
   * @param decoded - The text whose offsets are checked, if it is not that of the finds.
   */
  constructor(
    found: readonly Redaction[],
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
    const order = orderOf(this.#orders, name);
    return (start, end) => this.#covers(start, end, order);
  }

  /** Returns a check for parts, whatever rule finds them. Only the check that was returned last may be used. */
  get all(): IsFound {
    this.#at = 0;
    return (start, end) => this.#covers(start, end, Number.MAX_SAFE_INTEGER);
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
    return order > orderOf(this.#orders, part.first.rule);
  }
}

function partsOf(
  found: readonly Redaction[],
): { readonly start: number; end: number; first: Redaction }[] {
  const sorted = [...found];
  sortNearly(sorted, (a, b) => a.start - b.start);
  const parts: { readonly start: number; end: number; first: Redaction }[] = [];
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

/** Places that elements are moved by, for each of them: more, and they are not nearly in order. */
const MOST_MOVES = 4;

/** Sorts a list in place, in linear time if it is nearly in order. Equal elements stay in their order. */
export function sortNearly<T>(list: T[], compare: (a: T, b: T) => number): void {
  let moves = list.length * MOST_MOVES;
  for (let at = 1; at < list.length; at++) {
    const next = list[at];
    let to = at;
    for (; to > 0; to--) {
      const before = list[to - 1];
      if (before === undefined || next === undefined || compare(before, next) <= 0) break;
      list[to] = before;
      moves--;
    }
    if (next !== undefined) list[to] = next;
    if (moves < 0) {
      list.sort(compare);
      return;
    }
  }
}
