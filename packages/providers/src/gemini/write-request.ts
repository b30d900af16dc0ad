import type {
  Blob,
  Content,
  FileData,
  FunctionCallingConfigMode,
  GenerateContentConfig,
  ThinkingLevel,
  Part as WirePart,
} from '@google/genai';
import { type Effort, nearestLevel } from '../adapter-kit/effort.ts';
import { outputInstruction } from '../adapter-kit/output-schema.ts';
import { isProviderExecuted, toolFiles, toolOutputText } from '../adapter-kit/tool-content.ts';
import { base64Of } from '../adapter-kit/wire.ts';
import { stringOf } from '../json/fields.ts';
import { isJsonObject } from '../json/json-value.ts';
import {
  type FilePart,
  type Message,
  type Part,
  textOf,
  type ToolResultPart,
} from '../models/message.ts';
import type { ChatRequest, ToolChoice } from '../models/request.ts';
import type { Settings } from './refused-fields.ts';

/** The part of a request besides the messages, and the instructions that the model needs in words instead. */
export interface WrittenConfig {
  readonly config: GenerateContentConfig;
  /** Empty where the fields say all. */
  readonly instruction: string;
}

/** Writes the configuration as this server takes it. */
export function writeConfig(model: string, settings: Settings): WrittenConfig {
  const { request, json, without = [] } = settings;
  const { output, tools, toolChoice, stop } = request;
  const config: GenerateContentConfig = {};
  if (request.maxOutputTokens !== undefined) config.maxOutputTokens = request.maxOutputTokens;
  if (request.temperature !== undefined) config.temperature = request.temperature;
  if (request.topP !== undefined) config.topP = request.topP;
  if (request.topK !== undefined) config.topK = request.topK;
  if (request.seed !== undefined) config.seed = request.seed;
  if (stop && stop.length > 0) config.stopSequences = [...stop];
  if (output?.type === 'json' && json !== 'words') {
    config.responseMimeType = 'application/json';
    if (output.schema !== undefined && json === undefined) {
      config.responseJsonSchema = output.schema;
    }
  }
  if (tools && tools.length > 0) {
    config.tools = [
      {
        functionDeclarations: tools.map(({ name, description, parameters }) => ({
          name,
          ...(description === undefined ? {} : { description }),
          parametersJsonSchema: parameters,
        })),
      },
    ];
    if (toolChoice !== undefined) {
      config.toolConfig = { functionCallingConfig: choiceOf(toolChoice) };
    }
  }
  const thinking = thinkingOf(model, request.reasoning, settings.thinking);
  if (thinking) config.thinkingConfig = thinking;
  const own = request.providerOptions?.['gemini'] ?? {};
  const kept = Object.entries(config).filter(([key]) => !without.includes(key));
  return {
    config: {
      ...Object.fromEntries(kept),
      automaticFunctionCalling: { disable: true },
      // Otherwise the SDK may ask again on its own, beyond every limit that was set.
      automaticContinuation: false,
      ...own,
    },
    instruction: json === undefined ? '' : (outputInstruction(output) ?? ''),
  };
}

function choiceOf(choice: ToolChoice): {
  mode: FunctionCallingConfigMode;
  allowedFunctionNames?: string[];
} {
  if (typeof choice === 'object') {
    return { mode: mode('ANY'), allowedFunctionNames: [choice.tool] };
  }
  return { mode: mode(choice === 'required' ? 'ANY' : choice === 'none' ? 'NONE' : 'AUTO') };
}

/** The SDK's enums are loaded with it; their values are their names. */
function mode(name: 'ANY' | 'NONE' | 'AUTO'): FunctionCallingConfigMode {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return name as FunctionCallingConfigMode;
}

/** Tokens to think with, for models before Gemini 3, which have no levels. */
const BUDGETS: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 512,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
};

/** The levels of Gemini 3, which always thinks: the least is as near as it comes to not at all. */
const LEVELS = ['minimal', 'low', 'medium', 'high'] as const;

function thinkingOf(
  model: string,
  reasoning: ChatRequest['reasoning'],
  wish: Settings['thinking'],
): GenerateContentConfig['thinkingConfig'] {
  if (reasoning === undefined || wish === 'nothing') return undefined;
  if (reasoning === 'default') return { includeThoughts: true };
  const hasLevels = /gemini-(?:[3-9]|\d\d)/.test(model);
  if (!hasLevels) {
    const thinkingBudget = wish === 'least' ? 128 : BUDGETS[reasoning];
    return { includeThoughts: reasoning !== 'none', thinkingBudget };
  }
  const nearest = wish === 'least' ? 'low' : nearestLevel(reasoning, LEVELS);
  const level = (nearest ?? 'high').toUpperCase();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the values are the names
  return { includeThoughts: reasoning !== 'none', thinkingLevel: level as ThinkingLevel };
}

/**
 * Replaces the signature of a thought in histories that another model made; Gemini 3 refuses tool
 * calls without one.
 *
 * Source: https://ai.google.dev/gemini-api/docs/thought-signatures
 */
const NO_SIGNATURE = 'skip_thought_signature_validator';

/** Messages as Gemini's contents, and what the system says. */
export function writeContents(
  messages: readonly Message[],
  model: string,
): {
  readonly contents: Content[];
  readonly system: string;
} {
  const contents: Content[] = [];
  const system: string[] = [];
  const ids = callIds(messages);
  const hasResultParts = !/gemini-[12](?:\.|-)/.test(model);
  for (const message of messages) {
    if (message.role === 'system') {
      system.push(textOf(message));
      continue;
    }
    const role = message.role === 'assistant' ? 'model' : 'user';
    const parts = writeParts(message.parts, ids, hasResultParts);
    const last = contents.at(-1);
    // All results of one turn must be in one content.
    if (last?.role === role) last.parts = [...(last.parts ?? []), ...parts];
    else if (parts.length > 0) contents.push({ role, parts });
  }
  return { contents, system: system.join('\n\n') };
}

/** Contents of a model that takes no system: the user says it first. */
export function withSystem(contents: readonly Content[], system: string): Content[] {
  if (system === '') return [...contents];
  const [first, ...rest] = contents;
  const said = { text: system };
  return first?.role === 'user'
    ? [{ ...first, parts: [said, ...(first.parts ?? [])] }, ...rest]
    : [{ role: 'user', parts: [said] }, ...contents];
}

/** Gemini's own ids of calls, by ours: a result must name the one that its call has. */
function callIds(messages: readonly Message[]): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const part of messages.flatMap(({ parts }) => parts)) {
    const id = part.type === 'tool-call' ? stringOf(part.meta?.['gemini']?.['id']) : undefined;
    if (id !== undefined && part.type === 'tool-call') ids.set(part.id, id);
  }
  return ids;
}

function writeParts(
  parts: readonly Part[],
  ids: ReadonlyMap<string, string>,
  hasResultParts: boolean,
): WirePart[] {
  const written = parts.flatMap((part) => writePart(part, ids, hasResultParts));
  const firstCall = written.find(({ functionCall }) => functionCall !== undefined);
  if (firstCall && firstCall.thoughtSignature === undefined) {
    firstCall.thoughtSignature = NO_SIGNATURE;
  }
  return written;
}

function writePart(
  part: Part,
  ids: ReadonlyMap<string, string>,
  hasResultParts: boolean,
): WirePart[] {
  const own = part.meta?.['gemini'];
  const thoughtSignature = stringOf(own?.['thoughtSignature']);
  const signature = thoughtSignature === undefined ? {} : { thoughtSignature };
  const native = own?.['part'];
  if (isJsonObject(native)) return [{ ...native }];
  if (isProviderExecuted(part)) return [];
  switch (part.type) {
    case 'text':
      return [{ text: part.text, ...signature }];
    case 'reasoning':
      // The thoughts of others mean nothing to it.
      return own ? [{ text: part.text, thought: true, ...signature }] : [];
    case 'file':
      return [{ ...writeFile(part), ...signature }];
    case 'source':
      return [];
    case 'tool-call': {
      const id = stringOf(own?.['id']);
      const args = isJsonObject(part.input) ? { ...part.input } : { value: part.input };
      return [{ functionCall: { ...(id ? { id } : {}), name: part.name, args }, ...signature }];
    }
    default: {
      return writeResult(part, ids.get(part.id), hasResultParts);
    }
  }
}

/** Writes a result. Its files are parts of it for Gemini 3 and newer, and follow it for older models. */
function writeResult(
  part: ToolResultPart,
  id: string | undefined,
  hasResultParts: boolean,
): WirePart[] {
  const files = toolFiles(part).map(writeFile);
  const key = part.isError ? 'error' : 'output';
  const response = { [key]: files.length === 0 ? part.output : toolOutputText(part) };
  const call = { ...(id ? { id } : {}), name: part.name, response };
  if (files.length === 0) return [{ functionResponse: call }];
  return hasResultParts
    ? [{ functionResponse: { ...call, parts: files } }]
    : [{ functionResponse: call }, ...files];
}

function writeFile(part: FilePart): { inlineData: Blob } | { fileData: FileData } {
  const { mediaType: mimeType, data } = part;
  const bytes = base64Of(part);
  return bytes === undefined
    ? { fileData: { mimeType, fileUri: String(data) } }
    : { inlineData: { mimeType, data: bytes } };
}
