import { z } from 'zod';
import type { StopRule } from '../stop/stop-rule.ts';
import { type ConfigIssue, isFields } from './config-issue.ts';
import { count, text } from './scalars.ts';
import { zodProblem } from '@vizprompt/providers/config/internal';

const similarity = z.strictObject({
  threshold: z.number().min(0).max(1).optional(),
  turns: count.optional(),
});

/** The parameters of each rule, except for those that join others. */
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

/** Reports mistakes in stop rules: a union of schemas says only that none of them fits. */
export function stopIssues(
  value: unknown,
  path: readonly PropertyKey[],
  isList = false,
): readonly ConfigIssue[] {
  if (Array.isArray(value)) {
    if (value.length === 0) return [{ path, problem: 'it is empty: give one rule at least' }];
    return value.flatMap((one, at) => ruleIssues(one, [...path, at]));
  }
  return isList ? [{ path, problem: 'it takes a list of rules' }] : ruleIssues(value, path);
}

function ruleIssues(value: unknown, path: readonly PropertyKey[]): readonly ConfigIssue[] {
  const entries = isFields(value) ? Object.entries(value) : [];
  const [first, second] = entries;
  if (!first) return [{ path, problem: `it is no rule: the rules are ${NAMES}` }];
  const issues = entries.flatMap(([key, given]) => partIssues(key, given, [...path, key]));
  if (!second || issues.length > 0) return issues;
  const problem = `a rule has one key: join '${first[0]}' and '${second[0]}' by all or any`;
  return [{ path: [...path, second[0]], problem, isKey: true }];
}

function partIssues(key: string, given: unknown, path: readonly PropertyKey[]): ConfigIssue[] {
  if (key === 'all' || key === 'any') return [...stopIssues(given, path, true)];
  const schema = Object.entries(RULES).find(([name]) => name === key)?.[1];
  if (!schema) {
    return [{ path, problem: `there is no such rule: the rules are ${NAMES}`, isKey: true }];
  }
  return (schema.safeParse(given, { error: zodProblem }).error?.issues ?? []).flatMap(
    (issue): ConfigIssue[] => {
      const place = [...path, ...issue.path];
      if (issue.code !== 'unrecognized_keys') return [{ path: place, problem: issue.message }];
      return issue.keys.map((inner) => ({
        path: [...place, inner],
        problem: issue.message,
        isKey: true,
      }));
    },
  );
}
