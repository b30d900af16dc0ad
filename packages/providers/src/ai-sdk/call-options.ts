import type {
  JSONSchema7,
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
  LanguageModelV3ReasoningPart,
  LanguageModelV3TextPart,
  LanguageModelV3ToolCallPart,
} from '@ai-sdk/provider';
import { toolContent } from '../adapter-kit/tool-content.ts';
import { base64Of } from '../adapter-kit/wire.ts';
import { isRecord } from '../json/fields.ts';
import type { ChatWarning } from '../models/events.ts';
import { LLMError } from '../models/llm-error.ts';
import {
  type FilePart,
  type Message,
  type Part,
  type ReasoningPart,
  textOf,
  type TextPart,
  type ToolCallPart,
  type ToolResultPart,
} from '../models/message.ts';
import type { ChatRequest, ReasoningEffort, Tool } from '../models/request.ts';
import { markOf, optionsOf, plainJson, plainObject } from './json.ts';
import type {
  CallOptionsV4,
  FileDataV4,
  PromptCustom,
  PromptFile,
  PromptMessage,
  PromptToolResult,
  ResultFileV3,
  ResultFileV4,
} from './spec.ts';

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

/** How a generation of the AI SDK writes what it writes differently. */
interface PromptDialect<File, Thought, ResultFile> {
  file(part: FilePart): File;
  /** Returns a file that a tool gave back. */
  resultFile(part: FilePart): ResultFile;
  /** `undefined` leaves the part out. */
  thought(part: ReasoningPart): Thought | undefined;
}

/**
 * Writes messages as a prompt of the AI SDK.
 *
 * @throws LLMError with the code `unsupported` for a part that its role cannot hold there.
 */
function writePrompt<File, Thought, ResultFile>(
  messages: readonly Message[],
  dialect: PromptDialect<File, Thought, ResultFile>,
): PromptMessage<File, Thought, ResultFile>[] {
  return messages.map((message) => ({
    ...writeMessage(message, dialect),
    ...optionsOf(message.meta),
  }));
}

function writeMessage<File, Thought, ResultFile>(
  { role, parts }: Message,
  { file, thought, resultFile }: PromptDialect<File, Thought, ResultFile>,
): PromptMessage<File, Thought, ResultFile> {
  switch (role) {
    case 'system':
      for (const part of parts) if (part.type !== 'text') throw misplaced(role, part);
      return { role, content: textOf(parts) };
    case 'user':
      return {
        role,
        content: parts.map((part) => {
          if (part.type === 'text') return writeText(part);
          if (part.type === 'file') return file(part);
          throw misplaced(role, part);
        }),
      };
    case 'assistant':
      return {
        role,
        content: parts
          .map((part) => {
            if (part.type === 'file') return file(part);
            // Sources come from the provider; they are not sent to it.
            if (part.type === 'source') return undefined;
            return part.type === 'reasoning' ? thought(part) : writeOwn(part, resultFile);
          })
          .filter((part) => part !== undefined),
      };
    default:
      return {
        role,
        content: parts.map((part) => {
          if (part.type === 'tool-result') return writeResult(part, resultFile);
          throw misplaced(role, part);
        }),
      };
  }
}

/** Returns a thought as both generations write it. */
function writeReasoning({ text, meta }: ReasoningPart): LanguageModelV3ReasoningPart {
  return { type: 'reasoning', text, ...optionsOf(meta) };
}

function writeOwn<ResultFile>(
  part: TextPart | ToolCallPart | ToolResultPart,
  resultFile: (part: FilePart) => ResultFile,
): LanguageModelV3TextPart | LanguageModelV3ToolCallPart | PromptToolResult<ResultFile> {
  if (part.type === 'text') return writeText(part);
  if (part.type === 'tool-result') return writeResult(part, resultFile);
  const { id, name, input, meta } = part;
  return {
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input: plainJson(input),
    ...(markOf(meta, 'providerExecuted') === true ? { providerExecuted: true } : {}),
    ...optionsOf(meta),
  };
}

function writeText({ text, meta }: TextPart): LanguageModelV3TextPart {
  return { type: 'text', text, ...optionsOf(meta) };
}

function writeResult<ResultFile>(
  part: ToolResultPart,
  resultFile: (part: FilePart) => ResultFile,
): PromptToolResult<ResultFile> {
  const { id, name, meta } = part;
  return {
    type: 'tool-result',
    toolCallId: id,
    toolName: name,
    output: writeOutput(part, resultFile),
    ...optionsOf(meta),
  };
}

/** The AI SDK has no word for an error that has files. */
function writeOutput<ResultFile>(
  { output, isError = false }: ToolResultPart,
  resultFile: (part: FilePart) => ResultFile,
): PromptToolResult<ResultFile>['output'] {
  if (typeof output === 'string') return { type: isError ? 'error-text' : 'text', value: output };
  const content = toolContent(output);
  if (!content.some(({ type }) => type === 'file')) {
    return { type: isError ? 'error-json' : 'json', value: plainJson(output) };
  }
  const value = content.map((part) =>
    part.type === 'text' ? { type: 'text' as const, text: part.text } : resultFile(part),
  );
  return { type: 'content', value };
}

function misplaced(role: string, { type }: Part): LLMError {
  return new LLMError('unsupported', `the AI SDK has no ${type} parts in ${role} messages`);
}
