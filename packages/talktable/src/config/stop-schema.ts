import { z } from 'zod';
import type { StopRule } from '../stop/stop-rule.ts';
import type { ConfigIssue } from './config-issue.ts';
import { count, text } from './scalars.ts';

const similarity = z.strictObject({
  threshold: z.number().min(0).max(1).optional(),
  turns: count.optional(),
});

/** What each rule is given, but for those that join others. */
const RULES = {
  rounds: count,
  turns: count,
  tokens: count,
  costUsd: z.number().positive(),
  seconds: z.number().positive(),
  keyword: text,
  verdict: z.literal(true),
  similarity,
  signal: text,
};

const NAMES = [...Object.keys(RULES), 'all', 'any'].join(', ');

/** A stop rule. */
export const stopRule: z.ZodType<StopRule> = z
  .lazy(() =>
    z.union([
      z.strictObject({ rounds: RULES.rounds }),
      z.strictObject({ turns: RULES.turns }),
      z.strictObject({ tokens: RULES.tokens }),
      z.strictObject({ costUsd: RULES.costUsd }),
      z.strictObject({ seconds: RULES.seconds }),
      z.strictObject({ keyword: RULES.keyword }),
      z.strictObject({ verdict: RULES.verdict }),
      z.strictObject({ similarity: RULES.similarity }),
      z.strictObject({ signal: RULES.signal }),
      z.strictObject({ all: z.array(stopRule).min(1) }),
      z.strictObject({ any: z.array(stopRule).min(1) }),
    ]),
  )
  .meta({ id: 'StopRule' });

/** What is wrong with stop rules: a union of schemas says only that none of them fits. */
export function stopIssue(
  value: unknown,
  path: readonly PropertyKey[],
  isList = false,
): ConfigIssue | undefined {
  if (Array.isArray(value)) {
    if (value.length === 0) return { path, problem: 'it is empty: give one rule at least' };
    for (const [at, one] of value.entries()) {
      const issue = ruleIssue(one, [...path, at]);
      if (issue) return issue;
    }
    return undefined;
  }
  if (isList) return { path, problem: 'it takes a list of rules' };
  return ruleIssue(value, path);
}

function ruleIssue(value: unknown, path: readonly PropertyKey[]): ConfigIssue | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const entries = isObject ? Object.entries(value) : [];
  const [first] = entries;
  if (!first) return { path, problem: `it is no rule: the rules are ${NAMES}` };
  for (const [key, given] of entries) {
    const place = [...path, key];
    if (key === 'all' || key === 'any') {
      const issue = stopIssue(given, place, true);
      if (issue) return issue;
      continue;
    }
    const schema = Object.entries(RULES).find(([name]) => name === key)?.[1];
    if (!schema) {
      return { path: place, problem: `there is no such rule: the rules are ${NAMES}`, isKey: true };
    }
    const [issue] = schema.safeParse(given).error?.issues ?? [];
    if (!issue) continue;
    const inner = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
    const isKey = inner.length > 0;
    return { path: [...place, ...issue.path, ...inner], problem: issue.message, isKey };
  }
  const [, second] = entries;
  if (!second) return undefined;
  const problem = `a rule has one key: join '${first[0]}' and '${second[0]}' by all or any`;
  return { path: [...path, second[0]], problem, isKey: true };
}
