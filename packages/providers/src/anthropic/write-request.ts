import {
  outputInstruction,
  type SchemaDialect,
  strictSchema,
} from '../adapter-kit/output-schema.ts';
import { fieldsOf } from '../json/fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import type { ChatWarning } from '../models/events.ts';
import type { Message } from '../models/message.ts';
import type { ChatRequest, Tool, ToolChoice } from '../models/request.ts';
import type { Settings, ThinkingMode } from './options.ts';
import { safeToolName, type WireBlock, writeMessages } from './write-messages.ts';

/** Settings that all requests of a model share. */
export interface RequestDefaults {
  readonly model: string;
  readonly betas: readonly string[];
  /** The lifetime of the prompt cache; `undefined` for no cache. */
  readonly cache: '5m' | '1h' | undefined;
}

/** A request in the form of the wire, and what of it the server cannot do. */
export interface WrittenRequest {
  readonly body: JsonObject;
  readonly headers: Readonly<Record<string, string>>;
  readonly warnings: readonly ChatWarning[];
}

/** Writes a request as this server takes it. */
export function writeRequest(defaults: RequestDefaults, settings: Settings): WrittenRequest {
  const { request, without = [], isWhole = false } = settings;
  const { output, tools, toolChoice, temperature, topP, topK } = request;
  const { betas: _, tools: ownTools, output_config: ownOutput, ...own } = optionsOf(request);
  const { system, messages } = writeMessages(request.messages, settings.isForgetful !== true);
  const { thinking, effort, budgetTokens } = writeThinking(settings);
  const schema = formatOf(settings);
  const instruction = schema ? undefined : outputInstruction(output);
  const said = instruction === undefined ? system : [...system, textBlock(instruction)];
  const listed = [...(tools ?? []).map((tool) => writeTool(tool)), ...listIn(ownTools)];
  const limit = tokensFor(settings, budgetTokens);
  const outputConfig = {
    ...(effort === undefined ? {} : { effort }),
    ...(schema ? { format: { type: 'json_schema', schema } } : {}),
    ...(isJsonObject(ownOutput) ? ownOutput : {}),
  };
  const stop = (request.stop ?? []).filter((text) => text.trim() !== '');
  const container = containerIn(request.messages);
  const fields: JsonObject = {
    model: defaults.model,
    max_tokens: limit,
    messages: messages.map(({ role, content }) => ({ role, content: plainest(content) })),
    ...(said.length > 0 ? { system: plainest(said) } : {}),
    ...(listed.length > 0 ? { tools: listed } : {}),
    ...(listed.length > 0 && toolChoice !== undefined ? { tool_choice: choiceOf(toolChoice) } : {}),
    ...(thinking ? { thinking: fitting(thinking, limit) } : {}),
    ...(Object.keys(outputConfig).length > 0 ? { output_config: outputConfig } : {}),
    ...(defaults.cache ? { cache_control: { type: 'ephemeral', ttl: defaults.cache } } : {}),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(topK === undefined ? {} : { top_k: topK }),
    ...(stop.length > 0 ? { stop_sequences: stop } : {}),
    ...(container === undefined ? {} : { container }),
    ...(isWhole ? {} : { stream: true }),
  };
  const kept = Object.entries(fields).filter(([key]) => !without.includes(key));
  return {
    body: { ...Object.fromEntries(kept), ...own },
    headers: headersFor(defaults, request),
    warnings: warningsFor(request),
  };
}

function optionsOf({ providerOptions }: ChatRequest): JsonObject {
  return providerOptions?.['anthropic'] ?? {};
}

function headersFor({ betas }: RequestDefaults, request: ChatRequest): Record<string, string> {
  const more = listIn(optionsOf(request)['betas']).filter((name) => typeof name === 'string');
  const all = [...new Set([...betas, ...more])];
  const headers = { ...request.headers };
  return all.length === 0 ? headers : { 'anthropic-beta': all.join(','), ...headers };
}

function warningsFor({ seed, stop = [] }: ChatRequest): ChatWarning[] {
  const warnings: ChatWarning[] = [];
  if (seed !== undefined) {
    warnings.push({ field: 'seed', message: 'the Messages API takes no seed; it was left out' });
  }
  if (stop.some((text) => text.trim() === '')) {
    const message = 'the Messages API takes no stop texts of white space only; they were left out';
    warnings.push({ field: 'stop', message });
  }
  return warnings;
}

/**
 * Tokens of an answer. Thoughts are a part of it: a limit that leaves no room for them is raised by the least that they
 * need.
 */
function tokensFor({ request, traits, tokenLimit }: Settings, budgetTokens: number): number {
  const { maxOutputTokens } = request;
  if (maxOutputTokens === undefined) return tokenLimit ?? traits.maxOutputTokens;
  const isTight = budgetTokens > 0 && maxOutputTokens <= LEAST_BUDGET;
  return isTight ? maxOutputTokens + LEAST_BUDGET : maxOutputTokens;
}

const LEAST_BUDGET = 1024;

/** The budget must be below the limit, and leave something for the answer. */
function fitting(thinking: JsonObject, limit: number): JsonObject {
  const { budget_tokens: budget } = thinking;
  if (typeof budget !== 'number' || budget < limit) return thinking;
  return { ...thinking, budget_tokens: Math.max(LEAST_BUDGET, Math.floor(limit * 0.8)) };
}

/** Keywords that the API refuses, and that only narrow: answers are checked for them here. */
const DIALECT: SchemaDialect = {
  isAllRequired: false,
  leftOut: new Set([
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'exclusiveMaximum',
    'multipleOf',
    'minItems',
    'maxItems',
    'pattern',
  ]),
};

function formatOf({ request: { output }, traits, json }: Settings): JsonObject | undefined {
  if (output?.type !== 'json' || output.schema === undefined) return undefined;
  return json === 'words' || !traits.hasSchema ? undefined : strictSchema(output.schema, DIALECT);
}

/** Returns a tool in the form of the API, which expects an object at the root of the schema. */
function writeTool({ name, description, parameters }: Tool): JsonObject {
  return {
    name: safeToolName(name),
    ...(description === undefined ? {} : { description }),
    input_schema: { type: 'object', ...parameters },
  };
}

function choiceOf(choice: ToolChoice): JsonObject {
  if (typeof choice === 'object') return { type: 'tool', name: safeToolName(choice.tool) };
  return { type: choice === 'required' ? 'any' : choice };
}

function textBlock(text: string): WireBlock {
  return { type: 'text', text };
}

/** One text alone is sent as a string, which every server knows. */
function plainest(blocks: readonly WireBlock[]): JsonValue {
  const [only] = blocks;
  const isPlain =
    blocks.length === 1 && only?.['type'] === 'text' && Object.keys(only).length === 2;
  return isPlain ? (only['text'] ?? '') : blocks;
}

function listIn(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the container in which the server ran code, for the next turn. */
function containerIn(messages: readonly Message[]): string | undefined {
  const parts = messages.flatMap((message) => message.parts);
  const ids = parts.map(({ meta }) => fieldsOf(meta?.['anthropic']?.['container'])['id']);
  const last = ids.findLast((id) => typeof id === 'string');
  return typeof last === 'string' ? last : undefined;
}

/** The fields that request thinking, and the tokens that it needs in addition to the answer. */
interface WrittenThinking {
  readonly thinking?: JsonObject;
  /** For `output_config`. */
  readonly effort?: string;
  readonly budgetTokens: number;
}

/** Levels of models that take them. */
const EFFORTS: Readonly<Record<string, string>> = {
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'xhigh',
  max: 'max',
};

/** Tokens to think with, for models that take no levels; 1024 is the least. */
const BUDGETS: Readonly<Record<string, number>> = {
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 16_384,
  xhigh: 32_000,
  max: 48_000,
};

/** Writes how much the model should think. Without a wish nothing is said, and the model does as it always does. */
function writeThinking(settings: Settings): WrittenThinking {
  const { request, traits, without = [] } = settings;
  const { reasoning } = request;
  if (reasoning === undefined) return { budgetTokens: 0 };
  const mode = settings.thinking ?? modeOf(settings);
  const level =
    'effort' in settings ? settings.effort : EFFORTS[mode === 'least' ? 'low' : reasoning];
  const hasEffort = level !== undefined && traits.hasEffort && !without.includes('effort');
  const effort = hasEffort ? { effort: level } : {};
  switch (mode) {
    case 'budget': {
      const budgetTokens = BUDGETS[reasoning] ?? BUDGETS['low'] ?? 1024;
      return {
        thinking: { type: 'enabled', budget_tokens: budgetTokens },
        ...effort,
        budgetTokens,
      };
    }
    case 'adaptive':
    case 'least':
      // Newer models sign their thoughts and say nothing of them, unless they are asked to.
      return { thinking: { type: 'adaptive', display: 'summarized' }, ...effort, budgetTokens: 0 };
    case 'disabled':
    case 'between_tools':
      return { thinking: { type: mode }, budgetTokens: 0 };
    default:
      return { ...effort, budgetTokens: 0 };
  }
}

function modeOf({ request: { reasoning }, traits }: Settings): ThinkingMode {
  if (traits.thinking === 'never') return 'nothing';
  if (reasoning === 'none') return 'disabled';
  // Older models think only if the request says how much.
  return traits.thinking === 'budget' && reasoning === 'default' ? 'nothing' : traits.thinking;
}
