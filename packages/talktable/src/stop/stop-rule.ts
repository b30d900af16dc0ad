import { wordInText } from '../words.ts';

/**
 * When a talk ends. All of them are looked at between turns; then the moderator closes.
 *
 * `all` holds when each of its rules does, `any` when one does. A list of rules is an `any`.
 */
export type StopRule =
  /** After this many rounds; a round is one turn for each participant. */
  | { readonly rounds: number }
  /** After this many turns of participants. */
  | { readonly turns: number }
  /** Prompts and answers together, since the talk began. */
  | { readonly tokens: number }
  /** US dollars, by the config's `prices`. */
  | { readonly costUsd: number }
  /** Seconds that the talk ran; pauses do not count. */
  | { readonly seconds: number }
  /**
   * When a participant, or the moderator in a summary, has said it, in any width and case: as a word, not
   * within one (`END` is not in `weekend`). Where words are written without spaces, as in Japanese but
   * for katakana, it counts anywhere.
   */
  | { readonly keyword: string }
  /** When the moderator, asked after each round, finds that the talk has come to its end. */
  | { readonly verdict: true }
  /** When nothing new is said: see {@link SimilarityRule}. */
  | { readonly similarity: SimilarityRule }
  /** When `signal(name)` was called. */
  | { readonly signal: string }
  | { readonly all: readonly StopRule[] }
  | { readonly any: readonly StopRule[] };

/** The last `turns` turns of participants each resemble one that came before. */
interface SimilarityRule {
  /** From 0 (nothing in common) to 1 (the same pairs of characters). Default: 0.8. */
  readonly threshold?: number | undefined;
  /** Default: the number of participants. */
  readonly turns?: number | undefined;
}

/** The facts that the rules look at. */
interface StopFacts {
  readonly turns: number;
  readonly rounds: number;
  readonly participants: number;
  readonly tokens: number;
  readonly costUsd: number;
  readonly seconds: number;
  /** The moderator's last verdict. */
  readonly verdict: boolean;
  /** The keywords of the rules that were said since the talk began. */
  readonly heard: ReadonlySet<string>;
  /** How much each of the last turns of participants resembles an earlier one; the newest last. */
  readonly similarities: readonly number[];
  readonly signals: ReadonlySet<string>;
}

/** Why the talk ends, such as `rounds: 3`; `undefined` while it continues. */
export function stopReason(rules: readonly StopRule[], facts: StopFacts): string | undefined {
  for (const rule of rules) {
    const reason = reasonOf(rule, facts);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function reasonOf(rule: StopRule, facts: StopFacts): string | undefined {
  if ('any' in rule) return stopReason(rule.any, facts);
  if ('all' in rule) {
    const reasons = rule.all.map((one) => reasonOf(one, facts));
    const isMet = reasons.length > 0 && reasons.every((reason) => reason !== undefined);
    return isMet ? reasons.join(' and ') : undefined;
  }
  const [name = '', value] = Object.entries(rule)[0] ?? [];
  if (!holds(rule, facts)) return undefined;
  return typeof value === 'object' || value === true ? name : `${name}: ${String(value)}`;
}

function holds(rule: SimpleRule, facts: StopFacts): boolean {
  if ('rounds' in rule) return facts.rounds >= rule.rounds;
  if ('turns' in rule) return facts.turns >= rule.turns;
  if ('tokens' in rule) return facts.tokens >= rule.tokens;
  if ('costUsd' in rule) return facts.costUsd >= rule.costUsd;
  if ('seconds' in rule) return facts.seconds >= rule.seconds;
  if ('keyword' in rule) return facts.heard.has(rule.keyword);
  if ('verdict' in rule) return facts.verdict;
  if ('signal' in rule) return facts.signals.has(rule.signal);
  const { threshold = 0.8, turns = facts.participants } = rule.similarity;
  const last = facts.similarities.slice(-turns);
  return last.length >= turns && last.every((value) => value >= threshold);
}

/** A rule without others in it. */
type SimpleRule = Exclude<StopRule, { any: unknown } | { all: unknown }>;

/** Returns the keywords of the rules, and of those within them, in a text. */
export function keywordsIn(text: string, rules: readonly StopRule[]): readonly string[] {
  return rules.flatMap((rule) => {
    if ('any' in rule) return keywordsIn(text, rule.any);
    if ('all' in rule) return keywordsIn(text, rule.all);
    return 'keyword' in rule && wordInText(text, rule.keyword) >= 0 ? [rule.keyword] : [];
  });
}

/** Checks whether any of the rules, or of those within them, asks for something. */
export function hasRule(rules: readonly StopRule[], name: string): boolean {
  return rules.some((rule) => {
    if ('any' in rule) return hasRule(rule.any, name);
    if ('all' in rule) return hasRule(rule.all, name);
    return name in rule;
  });
}

/** A text as the pairs of characters that it has. */
export type PairSet = ReadonlySet<string>;

/** Longer texts are judged by their beginning: what a text is about does not come after that. */
const MAX_CHARACTERS = 4000;

/** Returns the pairs of neighbouring letters and digits of a text, in any width and case. */
export function pairsOf(text: string): PairSet {
  const letters = text.slice(0, MAX_CHARACTERS).normalize('NFKC').toLowerCase();
  const characters = letters.match(/[\p{L}\p{N}]/gu) ?? [];
  if (characters.length === 1) return new Set(characters);
  return new Set(characters.slice(1).map((character, at) => `${characters[at]}${character}`));
}

/** Dice's coefficient: 0 for nothing in common, 1 for the same pairs. Two empty texts are the same. */
export function similarity(a: PairSet, b: PairSet): number {
  if (a.size + b.size === 0) return 1;
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  let common = 0;
  for (const pair of small) if (large.has(pair)) common++;
  return (2 * common) / (a.size + b.size);
}
