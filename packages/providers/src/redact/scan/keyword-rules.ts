import { codeAt } from '../code-at.ts';
import { bitsPerCharacter } from '../rules/judge.ts';
import {
  charactersAround,
  mayBeAround,
  type CharactersAround,
} from '../rules/characters-around.ts';
import { beginningOf, type RepeatedClass } from '../rules/keywords-of.ts';
import {
  secretAtKeyword,
  secretGroupsOf,
  withoutNames,
  type RedactionRule,
  type SecretGroups,
} from '../redaction-rule.ts';
import { AssignedValues } from './assigned-value.ts';
import type { CoveredParts } from './covered-parts.ts';
import { KeywordIndex } from './keyword-index.ts';

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
 * How often rules may fail in a block of a text that was read without its escapes before, and how long blocks are.
 * Afterwards only keys with a form of their own are looked for in the block as it is.
 */
const MAX_FAILURES_AGAIN = 32;
const BLOCK_BITS = 10;

/** Longer secrets are judged by their beginning. */
const JUDGED = 400;

/** A rule with all of its fields in one order: objects of many forms are slow to read. */
interface KeyedRule {
  readonly number: number;
  readonly name: string;
  readonly pattern: RegExp;
  readonly minLength: number;
  readonly isAssigned: boolean;
  readonly minValue: number;
  /** Less than any entropy if none is required. */
  readonly entropy: number;
  readonly is: RedactionRule['is'];
  readonly accepts: RedactionRule['accepts'];
  readonly secretAfter: RedactionRule['secretAfter'];
  readonly skim: RedactionRule['skim'];
  readonly groups: SecretGroups;
  /** The characters after a keyword, if they are known. */
  readonly next: Uint8Array | undefined;
  /** How many of them. */
  readonly nextCount: number;
  readonly mayFollow: RedactionRule['mayFollow'];
  /** True if a match has no character that ends a value. */
  readonly isToken: boolean;
}

function keyed(rule: RedactionRule, number: number): KeyedRule {
  const { name, pattern, minLength = 0, isAssigned = false, minValue = 0, entropy = -1 } = rule;
  const { is, accepts, secretAfter, skim, mayFollow } = rule;
  const groups = secretGroupsOf(pattern);
  const next = nextOf(rule);
  return {
    number,
    name,
    // The judge of a match may read the names of its groups.
    pattern: accepts ? pattern : withoutNames(pattern),
    minLength,
    isAssigned,
    minValue,
    entropy,
    is,
    accepts,
    secretAfter,
    skim,
    groups,
    next: next?.table,
    nextCount: next?.count ?? 0,
    mayFollow,
    isToken: !secretAfter && isOfToken(pattern.source),
  };
}

/** A rule at one of its keywords. */
interface RuleAt {
  readonly rule: KeyedRule;
  /** How often its pattern failed. */
  failures: number;
  /** Is made when the pattern has failed often. */
  around: CharactersAround | undefined;
}

/** Literals, classes and groups of letters, digits and signs of tokens, without what ends a value. */
const TOKEN_SOURCE =
  /^(?:[\w~:=@%#!/-]|\\[wd./+$*-]|\[(?:[\w~:=@/.%+*$#!-]|\\[wd./+-])+\]|\((?:\?:|(?!\?))|[)?|*+]|\{\d+(?:,\d*)?\})*$/;

function isOfToken(source: string): boolean {
  return TOKEN_SOURCE.test(
    source.replaceAll(/\(\?<?[!=](?:[^()[\]\\]|\\.|\[(?:[^\]\\]|\\.)*\])*\)/g, ''),
  );
}

/** Returns the characters after all keywords of a rule, if its pattern begins with them and none with another. */
function nextOf({ pattern, keywords = [] }: RedactionRule): RepeatedClass | undefined {
  const { texts, next } = beginningOf(pattern);
  // A run ends where none of them can be.
  if (next?.table.some((is, code) => is > (IN_RUN[code] ?? 0)) !== false) return undefined;
  const begins = new Set(texts.map((text) => text.toLowerCase()));
  if (withoutLonger([...begins]).length < begins.size) return undefined;
  return keywords.every((keyword) => begins.has(keyword.toLowerCase())) ? next : undefined;
}

/** Returns the keywords of a rule in lower case, without those that begin with another, unless the rule asks for their ends. */
function shortestOf({ keywords = [], skim, secretAfter }: RedactionRule): readonly string[] {
  const folded = keywords.map((keyword) => keyword.toLowerCase());
  if (skim || secretAfter) return folded;
  return withoutLonger(folded);
}

/** Returns texts without those that begin with another. */
function withoutLonger(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => !texts.some((other) => other !== text && text.startsWith(other)));
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

  constructor(rules: readonly RedactionRule[]) {
    const numbers = new Map<string, number[]>([[MARK, []]]);
    for (const [number, rule] of rules.entries()) {
      for (const folded of shortestOf(rule)) {
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
  }

  #rulesOf(keyword: number): readonly RuleAt[] {
    const found = (this.#numbers[keyword] ?? []).flatMap((number) => {
      const given = this.#rules[number];
      if (!given) return [];
      const rule = (this.#keyed[number] ??= keyed(given, number));
      return [{ rule, failures: 0, around: undefined }];
    });
    this.#ofKeyword[keyword] = found;
    return found;
  }

  /**
   * Reports what the rules find in a text, in the order of the keywords.
   *
   * @param done - Parts whose keywords are not tried, by the offsets of {@link CoveredParts}.
   */
  find(text: string, report: Report, done?: CoveredParts): void {
    const ofKeyword = this.#ofKeyword;
    const failures = new Uint8Array(this.#rules.length);
    const failedIn = new Int32Array(this.#rules.length).fill(-1);
    const doneUpTo = new Int32Array(this.#rules.length);
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
    const cursor = this.#index.in(text);
    const values = new AssignedValues(text);
    while (cursor.advance()) {
      const { start, keyword } = cursor;
      if (keyword === 0) {
        markEnd = Math.max(markEnd, endOfMark(text, start));
        continue;
      }
      if (start < markEnd) continue;
      const doneEnd = done ? done.endAt(start) : -1;
      if (doneEnd >= 0) {
        cursor.jump(doneEnd - LONGEST_MARK);
        continue;
      }
      if (start >= runEnd) runEnd = endOfRun(text, start);
      if (start >> BLOCK_BITS !== block) {
        block = start >> BLOCK_BITS;
        failuresInBlock = 0;
      }
      const isFormOnly = done !== undefined && failuresInBlock >= MAX_FAILURES_AGAIN;
      const length = runEnd - start;
      let isAssigned: boolean | undefined;
      const ofThis = ofKeyword[keyword] ?? this.#rulesOf(keyword);
      for (const at of ofThis) {
        const { rule, around } = at;
        const { number } = rule;
        if (start < (doneUpTo[number] ?? 0) || length < rule.minLength) continue;
        if (start >= foundFrom && start < foundUpTo) {
          // It would be a part of the value.
          if (rule.isToken && start > foundStart) continue;
          // The value has a better name already, or the same.
          if (number > foundBy && (rule.isAssigned || rule.name === foundName)) continue;
        }
        if (rule.next && !isFollowed(text, cursor.end, runEnd, rule.next, rule.nextCount)) continue;
        if (rule.mayFollow?.(text, start) === false) continue;
        if (isFormOnly && (rule.isAssigned || rule.secretAfter)) continue;
        if (rule.isAssigned) {
          isAssigned ??= values.mayFollow(start);
          if (!isAssigned || (rule.minValue > 0 && !values.isLong(rule.minValue))) continue;
        }
        if (failedIn[number] !== runEnd) {
          failedIn[number] = runEnd;
          failures[number] = 0;
        } else if ((failures[number] ?? 0) >= MAX_FAILURES) continue;
        const mayMatch = !around || mayBeAround(around, text, start, cursor.end);
        const end = mayMatch ? apply(rule, text, start, cursor.end, markEnd, report) : -1;
        if (end > start) {
          doneUpTo[number] = end;
          foundFrom = start;
          foundStart = reportedFrom;
          foundUpTo = isValueEnd(text, end) ? end : 0;
          foundBy = number;
          foundName = rule.name;
        } else {
          failures[number] = (failures[number] ?? 0) + 1;
          failuresInBlock++;
          if (mayMatch && ++at.failures === MANY_FAILURES) {
            at.around = charactersAround(rule.pattern, this.#keywords[keyword] ?? '');
          }
        }
      }
    }
  }
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

/** The end of the run of a place: spaces, quotes, `<`, `>` and all that is not ASCII end it. */
function endOfRun(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = codeAt(text, at);
    if (code >= 128 || IN_RUN[code] === 0) break;
  }
  // A keyword may begin with a character that is in no run.
  return Math.max(at, from + 1);
}

const IN_RUN = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w\\.~+/=:%@!#$&*?^,;(){}[\]|-]/.test(String.fromCharCode(code)) ? 1 : 0,
);
