import type {
  JSONSchema7,
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
  LanguageModelV3ReasoningPart,
} from '@ai-sdk/provider';
import type { ChatWarning } from '../models/events.ts';
import type { FilePart, ReasoningPart } from '../models/message.ts';
import type { ChatRequest, ReasoningEffort, Tool } from '../models/request.ts';
import { markOf, optionsOf, plainObject } from './json.ts';
import { isRecord } from '../json/fields.ts';
import { base64Of } from '../adapter-kit/wire.ts';
import type {
  CallOptionsV4,
  FileDataV4,
  PromptCustom,
  PromptFile,
  ResultFileV3,
  ResultFileV4,
} from './spec.ts';
import { writePrompt, writeReasoning, type PromptDialect } from './write-prompt.ts';

const V3: PromptDialect<
  PromptFile<Uint8Array | URL>,
  LanguageModelV3ReasoningPart,
  ResultFileV3
> = {
  file: (part) => writeFile(part, part.data),
  resultFile(part) {
    const { mediaType, data, name } = part;
    if (data instanceof URL) return { type: 'file-url', url: data.href, mediaType };
    const about = name === undefined ? {} : { filename: name };
    return { type: 'file-data', data: base64Of(part) ?? '', mediaType, ...about };
  },
  thought: (part) => (isCustom(markOf(part.meta, 'custom')) ? undefined : writeReasoning(part)),
};

const V4: PromptDialect<
  PromptFile<FileDataV4>,
  LanguageModelV3ReasoningPart | PromptCustom,
  ResultFileV4
> = {
  file: (part) => writeFile(part, fileDataV4(part)),
  resultFile(part) {
    const { mediaType, name } = part;
    const about = name === undefined ? {} : { filename: name };
    return { type: 'file', data: fileDataV4(part), mediaType, ...about };
  },
  thought: writeThoughtV4,
};

function fileDataV4({ data }: FilePart): FileDataV4 {
  return data instanceof URL ? { type: 'url', url: data } : { type: 'data', data };
}

/** Returns a request as the options of a v3 call. Its `reasoning` has no place there. */
export function callOptionsV3(
  request: ChatRequest,
  signal: AbortSignal,
): LanguageModelV3CallOptions {
  return { prompt: writePrompt(request.messages, V3), ...commonOptions(request, signal) };
}

/** Returns a request as the options of a v4 call. */
export function callOptionsV4(request: ChatRequest, signal: AbortSignal): CallOptionsV4 {
  const { messages, reasoning } = request;
  return {
    prompt: writePrompt(messages, V4),
    ...commonOptions(request, signal),
    ...(reasoning === undefined ? {} : { reasoning: effortV4(reasoning) }),
  };
}

/** Lists the settings that a v3 model cannot take. */
export function warningsV3({ reasoning = 'default' }: ChatRequest): readonly ChatWarning[] {
  if (reasoning === 'default') return [];
  const message = `models of the AI SDK's v3 take no reasoning effort: '${reasoning}' was not sent; use providerOptions`;
  return [{ message, field: 'reasoning' }];
}

function commonOptions(
  request: ChatRequest,
  signal: AbortSignal,
): Omit<LanguageModelV3CallOptions, 'prompt'> {
  const { tools, toolChoice, output, stop, headers } = request;
  const { maxOutputTokens, temperature, topP, topK, seed } = request;
  return {
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(topK === undefined ? {} : { topK }),
    ...(seed === undefined ? {} : { seed }),
    ...(stop === undefined ? {} : { stopSequences: [...stop] }),
    ...(tools === undefined ? {} : { tools: tools.map((tool) => writeTool(tool)) }),
    ...(toolChoice === undefined
      ? {}
      : {
          toolChoice:
            typeof toolChoice === 'string'
              ? { type: toolChoice }
              : { type: 'tool', toolName: toolChoice.tool },
        }),
    ...(output === undefined ? {} : { responseFormat: writeFormat(output) }),
    ...(headers === undefined ? {} : { headers: { ...headers } }),
    ...optionsOf(request.providerOptions),
    abortSignal: signal,
  };
}

function writeTool({ name, description, parameters }: Tool): LanguageModelV3FunctionTool {
  return {
    type: 'function',
    name,
    ...(description === undefined ? {} : { description }),
    inputSchema: writeSchema(parameters),
  };
}

function writeFormat(
  output: NonNullable<ChatRequest['output']>,
): NonNullable<LanguageModelV3CallOptions['responseFormat']> {
  if (output.type === 'text') return { type: 'text' };
  const { schema, name } = output;
  return {
    type: 'json',
    ...(schema === undefined ? {} : { schema: writeSchema(schema) }),
    ...(name === undefined ? {} : { name }),
  };
}

function writeSchema(schema: object): JSONSchema7 {
  const copy: unknown = plainObject(schema);
  return isSchema(copy) ? copy : {};
}

/** All keywords of JSON Schema are optional, and it is the provider that checks them. */
function isSchema(value: unknown): value is JSONSchema7 {
  return isRecord(value);
}

function writeFile<Data>({ mediaType, name, meta }: FilePart, data: Data): PromptFile<Data> {
  return {
    type: 'file',
    mediaType,
    data,
    ...(name === undefined ? {} : { filename: name }),
    ...optionsOf(meta),
  };
}

function writeThoughtV4(part: ReasoningPart): LanguageModelV3ReasoningPart | PromptCustom {
  const kind = markOf(part.meta, 'custom');
  if (!isCustom(kind)) return writeReasoning(part);
  return { type: 'custom', kind, ...optionsOf(part.meta) };
}

function isCustom(kind: unknown): kind is PromptCustom['kind'] {
  return typeof kind === 'string' && kind.includes('.');
}

function effortV4(effort: ReasoningEffort): NonNullable<CallOptionsV4['reasoning']> {
  return effort === 'default' ? 'provider-default' : effort;
}
