import { codeAt } from '../code-at.ts';
import { type RedactionRule, secretAtKeyword } from '../redaction-rule.ts';
import {
  charactersAround,
  type CharactersAround,
  mayBeAround,
} from '../rules/characters-around.ts';
import { bitsPerCharacter } from '../rules/judge.ts';
import { AssignedValues } from './assigned-value.ts';
import type { CoveredParts } from './covered-parts.ts';
import { IN_RUN, keyedRule, type KeyedRule, shortestKeywords } from './keyed-rule.ts';

/** Reports a secret that a rule of a name found, and the place of the keyword. */
export type Report = (rule: string, start: number, end: number, keyword: number) => void;

/**
 * How often a rule may fail in one run of characters without a space or quote. Without such a limit, a run of
 * keywords costs its length times that of a pattern.
 */
const MAX_FAILURES = 8;
/** A table of a pattern is worth its time after this many failures in all texts. */
const MANY_FAILURES = 256;

/**
 * How often rules of assigned values may fail in a block of a text that was read without its escapes before, and how
 * long blocks are. Afterwards only keys with a form of their own are looked for in the block as it is.
 */
const MAX_FAILURES_AGAIN = 32;
const BLOCK_BITS = 10;

/** Longer secrets are judged by their beginning. */
const JUDGED = 400;

/** A rule at one of its keywords. */
interface RuleAt {
  readonly rule: KeyedRule;
  /** How often its pattern failed. */
  failures: number;
  /** Is made when the pattern has failed often. */
  around: CharactersAround | undefined;
}

/** Looks for the secrets of many rules at once, at their keywords. */
export class KeywordRules {
  readonly #rules: readonly RedactionRule[];
  readonly #index: KeywordIndex;
  readonly #keywords: readonly string[];
  /** The numbers of the rules of a keyword. */
  readonly #numbers: readonly (readonly number[])[];
  /** The rules of a keyword, prepared when it is first met: most never are in a short run of a program. */
  readonly #ofKeyword: (readonly RuleAt[] | undefined)[];
  readonly #keyed: (KeyedRule | undefined)[];
  /** For a keyword whose rules all say which characters follow it: one for each of them. */
  readonly #beginsNext: (Uint8Array | undefined)[];

  constructor(rules: readonly RedactionRule[]) {
    const numbers = new Map<string, number[]>([[MARK, []]]);
    for (const [number, rule] of rules.entries()) {
      for (const folded of shortestKeywords(rule)) {
        const known = numbers.get(folded);
        if (known) known.push(number);
        else numbers.set(folded, [number]);
      }
    }
    this.#rules = rules;
    this.#keywords = [...numbers.keys()];
    this.#index = new KeywordIndex(this.#keywords);
    this.#numbers = [...numbers.values()];
    this.#ofKeyword = Array.from({ length: numbers.size }, () => undefined);
    this.#keyed = Array.from({ length: rules.length }, () => undefined);
    this.#beginsNext = Array.from({ length: numbers.size }, () => undefined);
  }

  #rulesOf(keyword: number): readonly RuleAt[] {
    const found = (this.#numbers[keyword] ?? []).flatMap((number) => {
      const given = this.#rules[number];
      if (!given) return [];
      const rule = (this.#keyed[number] ??= keyedRule(given, number));
      return [{ rule, failures: 0, around: undefined }];
    });
    this.#ofKeyword[keyword] = found;
    this.#beginsNext[keyword] = unionOf(found.map(({ rule }) => rule.next));
    return found;
  }

  /**
   * Reports what the rules find in a text, in the order of the keywords.
   *
   * @param done - Parts whose keywords are not tried, by the offsets of {@link CoveredParts}.
   * @returns True if a secret may be far from the keyword that announces it, such as one in a table.
   */
  find(text: string, report: Report, done?: CoveredParts): boolean {
    const ofKeyword = this.#ofKeyword;
    // In most short texts no rule is tried.
    let failures: Uint8Array | undefined;
    let failedIn: Int32Array | undefined;
    let doneUpTo: Int32Array | undefined;
    let runEnd = 0;
    let markEnd = 0;
    let block = -1;
    let failuresInBlock = 0;
    // The last secret that was found: from its keyword on, where it begins, up to its end, and by which rule.
    let foundFrom = 0;
    let foundStart = 0;
    let foundUpTo = 0;
    let foundBy = 0;
    let foundName = '';
    isFarAnnounced = false;
    let values: AssignedValues | undefined;
    const { next, classes, shift, firstEnd, ends } = this.#index;
    const beginsNext = this.#beginsNext;
    let row = 0;
    let keywordEnd = 0;
    // The keywords that end at a place, of which the last is followed by a zero.
    let pair = 0;
    // A loop over a cursor that is an object takes longer.
    for (;;) {
      if (ends[pair] === 0) {
        let at = keywordEnd;
        for (; at < text.length; at++) {
          const code = text.charCodeAt(at);
          const packed = code < 128 ? (next[row + (classes[code] ?? 0)] ?? 0) : 0;
          row = (packed >> 1) << shift;
          if ((packed & 1) !== 0) break;
        }
        if (at === text.length) return isFarAnnounced;
        keywordEnd = at + 1;
        pair = firstEnd[row >> shift] ?? 0;
      }
      const start = keywordEnd - (ends[pair] ?? 0);
      const keyword = ends[pair + 1] ?? 0;
      pair += 2;
      if (keyword === 0) {
        markEnd = Math.max(markEnd, endOfMark(text, start));
        continue;
      }
      if (start < markEnd) continue;
      const doneEnd = done ? done.endAt(start) : -1;
      if (doneEnd >= 0) {
        const later = doneEnd - LONGEST_MARK;
        if (later > keywordEnd) {
          keywordEnd = later;
          row = 0;
          pair = 0;
        }
        continue;
      }
      if (start >= runEnd) runEnd = endOfRun(text, start);
      if (start >> BLOCK_BITS !== block) {
        block = start >> BLOCK_BITS;
        failuresInBlock = 0;
      }
      const begins = beginsNext[keyword];
      // Most keywords are parts of words.
      if (begins && !isIn(begins, codeAt(text, keywordEnd))) continue;
      const isFormOnly = done !== undefined && failuresInBlock >= MAX_FAILURES_AGAIN;
      const length = runEnd - start;
      let isAssigned: boolean | undefined;
      const ofThis = ofKeyword[keyword] ?? this.#rulesOf(keyword);
      for (const at of ofThis) {
        const { rule, around } = at;
        const { number } = rule;
        if ((doneUpTo && start < (doneUpTo[number] ?? 0)) || length < rule.minLength) continue;
        if (start >= foundFrom && start < foundUpTo) {
          // It would be a part of the value.
          if (rule.isToken && start > foundStart) continue;
          // The value has a better name already, or the same.
          if (number > foundBy && (rule.isAssigned || rule.name === foundName)) continue;
        }
        if (rule.next && !isFollowed(text, keywordEnd, runEnd, rule.next, rule.nextCount)) continue;
        if (rule.mayFollow?.(text, start) === false) continue;
        if (isFormOnly && (rule.isAssigned || rule.secretAfter)) continue;
        if (rule.isAssigned) {
          values ??= new AssignedValues(text);
          isAssigned ??= values.mayFollow(start);
          if (!isAssigned || (rule.minValue > 0 && !values.isLong(rule.minValue))) continue;
        }
        failures ??= new Uint8Array(this.#rules.length);
        failedIn ??= new Int32Array(this.#rules.length).fill(-1);
        if (failedIn[number] !== runEnd) {
          failedIn[number] = runEnd;
          failures[number] = 0;
        } else if ((failures[number] ?? 0) >= MAX_FAILURES) continue;
        const mayMatch = !around || mayBeAround(around, text, start, keywordEnd);
        if (rule.isFar && mayMatch) isFarAnnounced = true;
        const end = mayMatch ? apply(rule, text, start, keywordEnd, markEnd, report) : -1;
        if (end > start) {
          doneUpTo ??= new Int32Array(this.#rules.length);
          doneUpTo[number] = end;
          foundFrom = start;
          foundStart = reportedFrom;
          foundUpTo = isValueEnd(text, end) ? end : 0;
          foundBy = number;
          foundName = rule.name;
        } else {
          failures[number] = (failures[number] ?? 0) + 1;
          // Others do not stop at the limit, and ordinary sentences have many of their keywords.
          if (rule.isAssigned || rule.secretAfter) failuresInBlock++;
          if (mayMatch && ++at.failures === MANY_FAILURES) {
            at.around = charactersAround(rule.pattern, this.#keywords[keyword] ?? '');
          }
        }
      }
    }
  }
}

/** Returns a table of what is in any of some tables, or nothing if one is missing. */
function unionOf(tables: readonly (Uint8Array | undefined)[]): Uint8Array | undefined {
  const [first] = tables;
  if (tables.includes(undefined)) return undefined;
  if (tables.every((table) => table === first)) return first;
  return first?.map((_, code) => (tables.some((table) => table?.[code] === 1) ? 1 : 0));
}

function isIn(table: Uint8Array, code: number): boolean {
  return code < 128 && table[code] === 1;
}

/** Checks the first and the last of the characters that must follow a keyword: others differ there most often. */
function isFollowed(
  text: string,
  at: number,
  runEnd: number,
  table: Uint8Array,
  count: number,
): boolean {
  const last = at + count - 1;
  return last < runEnd && table[codeAt(text, at)] === 1 && table[codeAt(text, last)] === 1;
}

const MARK = '[redacted:';

/** Checks whether no value continues at a place. */
function isValueEnd(text: string, at: number): boolean {
  const code = codeAt(text, at);
  return code >= 128 || ENDS_VALUE[code] === 1;
}

const ENDS_VALUE = Uint8Array.from({ length: 128 }, (_, code) =>
  code > 32 && code < 127 && !'"\'`<>&,;)]}\\'.includes(String.fromCharCode(code)) ? 0 : 1,
);

/** Names of rules are shorter. */
const LONGEST_MARK = 80;

/** Returns the place after a mark, or where it begins if it has no end. */
function endOfMark(text: string, start: number): number {
  const limit = Math.min(text.length, start + LONGEST_MARK);
  for (let at = start + MARK.length; at < limit; at++) {
    const code = codeAt(text, at);
    if (code === 93) return at + 1;
    if (code === 91 || code <= 32) break;
  }
  return start;
}

/** Where the secret begins that was reported last. */
let reportedFrom = 0;
/** True if a rule was tried whose secrets may be far from the keyword. */
let isFarAnnounced = false;

/** Tries a rule at a place; returns the place after the secret, or -1. */
function apply(
  rule: KeyedRule,
  text: string,
  start: number,
  keywordEnd: number,
  markEnd: number,
  report: Report,
): number {
  const skimmed = rule.skim?.(text, start, keywordEnd);
  if (skimmed === -1) return -1;
  const { pattern, entropy, accepts, is, secretAfter, groups } = rule;
  pattern.lastIndex = start;
  if (rule.secretsAfter) return applyToAll(rule, text, start, markEnd, report);
  let from = start;
  let to: number;
  if (secretAfter || (groups.isWhole && !accepts)) {
    // A match that is not needed is not made.
    if (skimmed === undefined && !pattern.test(text)) return -1;
    to = skimmed ?? pattern.lastIndex;
    if (secretAfter) {
      const secret = secretAfter(text, start, to);
      if (!secret) return -1;
      from = secret[0];
      to = secret[1];
    }
  } else {
    const match = pattern.exec(text);
    if (!match || accepts?.(match) === false) return -1;
    [from, to] = secretAtKeyword(match, groups);
  }
  // Text that a mark replaced is not part of another secret.
  if (to <= from || from < markEnd) return -1;
  if (entropy >= 0 || is) {
    const secret = text.slice(from, to);
    if (is?.(secret) === false) return -1;
    if (entropy >= 0 && bitsPerCharacter(secret, JUDGED) < entropy) return -1;
  }
  reportedFrom = from;
  report(rule.name, from, to, start);
  return to;
}

/** Tries a rule of several secrets at a place; returns the place after what announces them, or -1. */
function applyToAll(
  { name, pattern, secretsAfter }: KeyedRule,
  text: string,
  start: number,
  markEnd: number,
  report: Report,
): number {
  if (!pattern.test(text)) return -1;
  const end = pattern.lastIndex;
  const secrets = secretsAfter?.(text, start, end);
  if (!secrets) return -1;
  isFarAnnounced = true;
  let count = 0;
  for (const [from, to] of secrets) {
    if (to <= from || from < markEnd || text.startsWith(MARK, from)) continue;
    report(name, from, to, from);
    count++;
  }
  reportedFrom = start;
  return count > 0 ? end : -1;
}

/** Returns the end of the run of a place. */
function endOfRun(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = codeAt(text, at);
    if (code >= 128 || IN_RUN[code] === 0) break;
  }
  // A keyword may begin with a character that is in no run.
  return Math.max(at, from + 1);
}

/** Finds all of many keywords in one pass, by Aho and Corasick (1975), whatever their case. */
class KeywordIndex {
  /** For the row of a state and a class of characters: twice the next state, plus 1 if keywords end there. */
  readonly next: Uint16Array | Int32Array;
  readonly classes: Uint8Array = new Uint8Array(128);
  /** The row of a state is the state shifted by as much. */
  readonly shift: number;
  /** For each state the place of the first keyword that ends there. */
  readonly firstEnd: Int32Array;
  /** Pairs of a keyword's length and its number, and a zero after those of a state. */
  readonly ends: Int32Array;

  constructor(keywords: readonly string[]) {
    const folded = keywords.map((keyword) => keyword.toLowerCase());
    let width = 1;
    for (const character of new Set(folded.join(''))) {
      this.classes[codeOf(character)] = width;
      this.classes[codeOf(character.toUpperCase())] = width;
      width++;
    }
    this.shift = Math.ceil(Math.log2(width));
    const nodes = nodesOf(folded, this.classes);
    const { next, fallback } = this.#transitions(nodes);
    this.firstEnd = new Int32Array(nodes.length);
    const ends = [0];
    const endsOf: (readonly number[])[] = [];
    for (const { ends: own, number } of nodes) {
      const all = number === 0 ? own : [...own, ...(endsOf[fallback[number] ?? 0] ?? [])];
      endsOf.push(all);
      if (all.length > 0) this.firstEnd[number] = ends.push(...all, 0) - all.length - 1;
    }
    this.ends = Int32Array.from(ends);
    for (let at = 0; at < next.length; at++) {
      const to = next[at] ?? 0;
      next[at] = 2 * to + ((this.firstEnd[to] ?? 0) > 0 ? 1 : 0);
    }
    this.next = next;
  }

  #transitions(nodes: readonly Node[]): Transitions {
    const width = 1 << this.shift;
    const Table = nodes.length < MOST_SHORT ? Uint16Array : Int32Array;
    const next = new Table(nodes.length * width);
    const fallback = new Int32Array(nodes.length);
    for (const { children, number } of nodes) {
      const back = fallback[number] ?? 0;
      const row = number * width;
      // Where no child follows, the longest other beginning continues; the root's row is still all zeros.
      if (number > 0) next.copyWithin(row, back * width, (back + 1) * width);
      for (const [code, { number: to }] of children) {
        fallback[to] = next[row + code] ?? 0;
        next[row + code] = to;
      }
    }
    return { next, fallback };
  }
}

/** As many states fit in half of 16 bits. */
const MOST_SHORT = 32_768;

/** For the row of a state and a class the next state, and the state of the longest other beginning of each. */
interface Transitions {
  readonly next: Uint16Array | Int32Array;
  readonly fallback: Int32Array;
}

/** Returns the states of keywords: those near the root, where most texts are most of the time, are next to each other. */
function nodesOf(keywords: readonly string[], classes: Uint8Array): readonly Node[] {
  const root: Node = { children: new Map(), ends: [], number: 0 };
  for (const [number, keyword] of keywords.entries()) {
    let node = root;
    for (const character of keyword) {
      const code = classes[codeOf(character)] ?? 0;
      let child = node.children.get(code);
      if (!child) {
        child = { children: new Map(), ends: [], number: 0 };
        node.children.set(code, child);
      }
      node = child;
    }
    node.ends.push(keyword.length, number);
  }
  const nodes = [root];
  for (const node of nodes) {
    for (const child of node.children.values()) child.number = nodes.push(child) - 1;
  }
  return nodes;
}

/** A state before it has its transitions. */
interface Node {
  readonly children: Map<number, Node>;
  /** Pairs of the length and the number of a keyword that ends here. */
  readonly ends: number[];
  number: number;
}

function codeOf(character: string): number {
  const code = character.charCodeAt(0);
  if (code > 127) throw new RangeError(`keyword: expected ASCII, got ${JSON.stringify(character)}`);
  return code;
}
