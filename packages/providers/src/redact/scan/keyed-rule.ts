import { beginningOf, type RepeatedClass } from '../rules/keywords-of.ts';
import {
  secretGroupsOf,
  withoutNames,
  type RedactionRule,
  type SecretGroups,
} from '../redaction-rule.ts';

/** A rule with all of its fields in one order: objects of many forms are slow to read. */
export interface KeyedRule {
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
  readonly secretsAfter: RedactionRule['secretsAfter'];
  readonly skim: RedactionRule['skim'];
  readonly groups: SecretGroups;
  /** The characters after a keyword, if they are known. */
  readonly next: Uint8Array | undefined;
  /** How many of them. */
  readonly nextCount: number;
  readonly mayFollow: RedactionRule['mayFollow'];
  /** True if a match has no character that ends a value. */
  readonly isToken: boolean;
  /** True if a match may have very many characters of any kind. */
  readonly isFar: boolean;
}

/** Prepares a rule, whose number is its place among the others. */
export function keyedRule(rule: RedactionRule, number: number): KeyedRule {
  const { name, pattern, minLength = 0, isAssigned = false, minValue = 0, entropy = -1 } = rule;
  const { is, accepts, secretAfter, secretsAfter, skim, mayFollow } = rule;
  const groups = secretGroupsOf(pattern);
  const next = nextOf(rule);
  const isToken = !secretAfter && !secretsAfter && isOfToken(pattern.source);
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
    secretsAfter,
    skim,
    groups,
    next: next?.table,
    nextCount: next?.count ?? 0,
    mayFollow,
    isToken,
    isFar: !isToken && isOfFar(pattern.source),
  };
}

/** The characters of a run: spaces, quotes, `<`, `>` and all that is not ASCII end it. */
export const IN_RUN: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w\\.~+/=:%@!#$&*?^,;(){}[\]|-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Literals, classes and groups of letters, digits and signs of tokens, without what ends a value. */
const TOKEN_SOURCE =
  /^(?:[\w~:=@%#!/-]|\\[wd./+$*-]|\[(?:[\w~:=@/.%+*$#!-]|\\[wd./+-])+\]|\((?:\?:|(?!\?))|[)?|*+]|\{\d+(?:,\d*)?\})*$/;

/** Bounds of tens of thousands of characters or hundreds of lines, or none. */
const FAR = /[*+]|,\}|,\d{5}\d*\}|\)\{\d*,\d{3}\d*\}/;

function isOfFar(source: string): boolean {
  return FAR.test(source.replaceAll(/\\[^]|\[(?:\\[^]|[^\]])*\]/g, 'x'));
}

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
export function shortestKeywords({
  keywords = [],
  skim,
  secretAfter,
  secretsAfter,
}: RedactionRule): readonly string[] {
  const folded = keywords.map((keyword) => keyword.toLowerCase());
  if (secretAfter || (skim && !secretsAfter)) return folded;
  return withoutLonger(folded);
}

/** Returns texts without those that begin with another. */
function withoutLonger(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => !texts.some((other) => other !== text && text.startsWith(other)));
}
