import type { ChatModel } from '@vizprompt/providers';
import { zodProblem } from '@vizprompt/providers/config/internal';
import { isStorable } from '@vizprompt/providers/internal';
import { z } from 'zod';
import type { StopRule } from '../stop/stop-rule.ts';
import { isOneLine } from '../words.ts';
import { type ConfigIssue, isFields } from './config-issue.ts';
import type { TalkConfig } from './talk-config.ts';

/** A text that is not empty, and that a log can hold. */
const text: z.ZodString = z
  .string()
  .refine((value) => value.trim() !== '', 'it is empty')
  .refine((value) => isStorable(value), 'it holds broken characters')
  .meta({ minLength: 1 });

/** A whole number from 1 on. */
const count: z.ZodInt = z.int().min(1);

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
const stopRule: z.ZodType<StopRule> = z
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

const speakerName = text.refine(isOneLine, 'it holds line breaks or control characters');
const model = z.union([z.string().min(1), z.custom<ChatModel>(isChatModel)], {
  error: 'it is no model: write provider:model, such as ollama:qwen3:8b',
});

function isChatModel(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'stream' in value && 'modelId' in value;
}

const speaker = {
  persona: z.string().optional(),
  temperature: z.number().min(0).max(2).optional(),
  maxOutputTokens: count.optional(),
  contextTokens: z.int().min(256).optional(),
};

const participant = z.strictObject({
  name: speakerName,
  model: model.optional(),
  person: z.boolean().optional(),
  language: text.optional(),
  visibleTo: z.array(text).optional(),
  joinsAt: count.optional(),
  leavesAfter: count.optional(),
  tools: z.array(text).min(1).optional(),
  ...speaker,
});

const moderator = z.strictObject({
  name: speakerName.optional(),
  model,
  every: z.union([z.enum(['turn', 'round']), count]).optional(),
  opening: z.boolean().optional(),
  closing: z.boolean().optional(),
  instructions: z
    .strictObject({
      opening: text.optional(),
      summary: text.optional(),
      closing: text.optional(),
    })
    .optional(),
  ...speaker,
});

const price = z.strictObject({
  inputPerMillion: z.number().min(0),
  outputPerMillion: z.number().min(0),
  cachedInputPerMillion: z.number().min(0).optional(),
  cacheWriteInputPerMillion: z.number().min(0).optional(),
  reasoningPerMillion: z.number().min(0).optional(),
});

/** The form of a config; unknown keys are errors. */
export const talkConfigSchema: z.ZodType<TalkConfig> = z.strictObject({
  topic: text,
  participants: z.array(participant).min(2, 'a talk needs at least two participants'),
  moderator: moderator.optional(),
  language: text.optional(),
  order: z.enum(['roundRobin', 'moderator', 'mention', 'custom']).optional(),
  rounds: count.optional(),
  maxTurns: count.optional(),
  stop: z.union([stopRule, z.array(stopRule).min(1)]).optional(),
  intervalMs: z.number().min(0).optional(),
  retries: z.int().min(0).optional(),
  timeout: z
    .strictObject({
      totalMs: z.number().positive().optional(),
      firstByteMs: z.number().positive().optional(),
      idleMs: z.number().positive().optional(),
    })
    .optional(),
  budget: z
    .strictObject({
      tokens: z.number().min(0).optional(),
      costUsd: z.number().min(0).optional(),
    })
    .optional(),
  prices: z.record(z.string(), price).optional(),
  logPath: text.optional(),
  context: z
    .strictObject({ turns: count.optional(), tokens: z.int().min(256).optional() })
    .optional(),
  knowledge: z.strictObject({ passages: count.optional() }).optional(),
  providers: z
    .record(
      z.string(),
      z.strictObject({ baseURL: z.string().optional(), apiKeyEnv: z.string().optional() }),
    )
    .optional(),
});

/** Returns the keys that the object at a path of a config may have. */
export function keysAt(path: readonly PropertyKey[]): readonly string[] {
  let at: unknown = talkConfigSchema;
  for (const step of path) at = memberOf(at, step);
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

function memberOf(schema: unknown, step: PropertyKey): unknown {
  let member: unknown;
  if (schema instanceof z.ZodArray) member = schema.element;
  else if (schema instanceof z.ZodRecord) member = schema.valueType;
  else if (schema instanceof z.ZodObject)
    member = new Map(Object.entries(schema.shape)).get(String(step));
  return member instanceof z.ZodOptional ? member.unwrap() : member;
}

/** Returns the config as JSON Schema (draft 2020-12), for editors: `talk.schema.json` of the package. */
export function talkJsonSchema(): Record<string, unknown> {
  return {
    ...z.toJSONSchema(talkConfigSchema, { unrepresentable: 'any', override: withoutModelObjects }),
    title: 'A talk of @vizprompt/talktable',
  };
}

/** In a file a model is a name. */
function withoutModelObjects({ jsonSchema }: { jsonSchema: { anyOf?: object[] } }): void {
  const rest = jsonSchema.anyOf?.filter((one) => Object.keys(one).length > 0);
  if (!rest || rest.length === jsonSchema.anyOf?.length) return;
  delete jsonSchema.anyOf;
  Object.assign(jsonSchema, rest[0]);
}
