import type { IsFound, Offsets, RedactionRule } from './redaction-rule.ts';
import { prefixedKeys } from './rules/prefixed-keys.ts';
import { prefixedKeyRule } from './rules/prefixes.ts';
import { defaultRedactionRules } from './rules.ts';

/** Changes of the default rules. */
export interface RuleChanges {
  /** More rules. */
  readonly add?: readonly RedactionRule[] | undefined;
  /** The names of default rules that do not apply. */
  readonly remove?: readonly string[] | undefined;
}

/**
 * Returns the rules that options ask for.
 *
 * @throws RangeError if a name to remove is that of no rule.
 */
export function selectRules(
  rules: readonly RedactionRule[] | RuleChanges,
): readonly RedactionRule[] {
  if (isList(rules)) return rules;
  const { add = [], remove = [] } = rules;
  const names = new Set(defaultRedactionRules.map(({ name }) => name));
  for (const name of remove) {
    if (names.has(name)) continue;
    throw new RangeError(
      `redact.rules.remove: expected the name of a default rule, got '${name}': see defaultRedactionRules`,
    );
  }
  return [
    ...defaultRedactionRules
      .filter(({ name }) => !remove.includes(name))
      .map((rule) => (rule === prefixedKeyRule ? without(rule, remove) : rule)),
    ...add,
  ];
}

/** A key whose own rule was removed is not a key of an unknown issuer. */
function without(rule: RedactionRule, remove: readonly string[]): RedactionRule {
  const removed = defaultRedactionRules.filter(({ name }) => remove.includes(name));
  const starts = removed.flatMap(({ keywords = [] }) => keywords);
  const find = (text: string, isFound: IsFound): readonly Offsets[] =>
    prefixedKeys(text, isFound).filter(
      ([start]) => !starts.some((keyword) => text.startsWith(keyword, start)),
    );
  return { ...rule, find };
}

function isList(rules: readonly RedactionRule[] | RuleChanges): rules is readonly RedactionRule[] {
  return Array.isArray(rules);
}

/** Patterns with the right flags: reading them takes longer than many a pattern takes for a text. */
const checked = new WeakSet<RegExp>();

const FUNCTIONS = [
  'mayFollow',
  'is',
  'accepts',
  'find',
  'secretAfter',
  'secretsAfter',
  'skim',
] as const;

/**
 * Checks the flags of a rule's pattern, its keywords and its functions.
 *
 * @throws RangeError that names the rule.
 */
export function assertRule(rule: RedactionRule): void {
  const { name, pattern, keywords } = rule;
  if (keywords?.some((keyword) => !/^[\0-\x7f]+$/.test(keyword))) {
    throw new RangeError(`the redaction rule '${name}': expected keywords of ASCII characters`);
  }
  for (const member of FUNCTIONS) {
    const value: unknown = rule[member] ?? undefined;
    if (value === undefined || typeof value === 'function') continue;
    throw new RangeError(
      `the redaction rule '${name}': expected a function as '${member}', got ${typeof value}`,
    );
  }
  if (rule.mayFollow && !keywords) {
    throw new RangeError(
      `the redaction rule '${name}': expected 'keywords' next to 'mayFollow', got none: add them, or use a lookbehind`,
    );
  }
  if (checked.has(pattern)) return;
  if (!(Object.prototype.toString.call(pattern) === '[object RegExp]')) {
    throw new RangeError(
      `the redaction rule '${name}': expected a regular expression as 'pattern', got ${typeof pattern}`,
    );
  }
  const { flags } = pattern;
  const isAtKeyword = keywords !== undefined;
  const fits = isAtKeyword
    ? flags.includes('y') && !flags.includes('g')
    : flags.includes('g') && flags.includes('d') && !flags.includes('y');
  if (fits) {
    checked.add(pattern);
    return;
  }
  const wanted = isAtKeyword ? "'y', and not 'g'" : "'g' and 'd', and not 'y'";
  throw new RangeError(
    `the pattern of the redaction rule '${name}' has the flags '${flags}': it must have ${wanted}`,
  );
}
