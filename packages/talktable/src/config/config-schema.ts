import type { ChatModel } from '@vizprompt/providers';
import { z } from 'zod';
import { isOneLine } from '../words.ts';
import { count, text } from './scalars.ts';
import { stopRule } from './stop-schema.ts';
import type { TalkConfig } from './talk-config.ts';

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
