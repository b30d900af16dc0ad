import type {
  LanguageModelV3CallOptions,
  LanguageModelV3Message,
  SharedV3Warning,
} from '@ai-sdk/provider';
import { readOutput } from '../adapter-kit/content-message.ts';
import { EFFORTS } from '../adapter-kit/effort.ts';
import { isRecord } from '../json/fields.ts';
import type { FilePart, Message, Part } from '../models/message.ts';
import type {
  ChatRequest,
  OutputFormat,
  ReasoningEffort,
  Tool,
  ToolChoice,
} from '../models/request.ts';
import { fromBase64, metaOf, plainJson, plainObject } from './json.ts';

/** The options of a call as a request, and what of them could not be kept. */
export function readOptions(options: LanguageModelV3CallOptions): {
  readonly request: ChatRequest;
  readonly warnings: SharedV3Warning[];
} {
  const warnings: SharedV3Warning[] = [];
  const { maxOutputTokens, temperature, topP, topK, seed } = options;
  const { stopSequences, toolChoice, responseFormat, abortSignal, headers } = options;
  for (const feature of ['presencePenalty', 'frequencyPenalty'] as const) {
    if (options[feature] !== undefined) warnings.push({ type: 'unsupported', feature });
  }
  const tools = readTools(options.tools ?? [], warnings);
  const reasoning = readReasoning(options);
  const { meta: providerOptions } = metaOf(options.providerOptions);
  const request: ChatRequest = {
    messages: readPrompt(options.prompt, warnings),
    ...(tools.length === 0 ? {} : { tools }),
    ...(toolChoice === undefined ? {} : { toolChoice: readChoice(toolChoice) }),
    ...(responseFormat === undefined ? {} : { output: readFormat(responseFormat) }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(topK === undefined ? {} : { topK }),
    ...(stopSequences === undefined ? {} : { stop: stopSequences }),
    ...(seed === undefined ? {} : { seed }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(abortSignal === undefined ? {} : { signal: abortSignal }),
    ...(headers === undefined ? {} : { headers: readHeaders(headers) }),
    ...(providerOptions === undefined ? {} : { providerOptions }),
  };
  return { request, warnings };
}

function readTools(
  tools: NonNullable<LanguageModelV3CallOptions['tools']>,
  warnings: SharedV3Warning[],
): Tool[] {
  return tools.flatMap((tool) => {
    if (tool.type === 'provider') {
      warnings.push({ type: 'unsupported', feature: `provider tool '${tool.id}'` });
      return [];
    }
    const { name, description, inputSchema } = tool;
    return {
      name,
      ...(description === undefined ? {} : { description }),
      parameters: plainObject(inputSchema),
    };
  });
}

function readChoice(choice: NonNullable<LanguageModelV3CallOptions['toolChoice']>): ToolChoice {
  return choice.type === 'tool' ? { tool: choice.toolName } : choice.type;
}

function readFormat(
  format: NonNullable<LanguageModelV3CallOptions['responseFormat']>,
): OutputFormat {
  if (format.type === 'text') return { type: 'text' };
  const { schema, name } = format;
  return {
    type: 'json',
    ...(schema === undefined ? {} : { schema: plainObject(schema) }),
    ...(name === undefined ? {} : { name }),
  };
}

/** `ai` 7 also hands the effort to models of v3. */
function readReasoning(options: object): ReasoningEffort | undefined {
  const effort = 'reasoning' in options ? options.reasoning : undefined;
  return EFFORTS.find((level) => level === effort);
}

function readHeaders(
  headers: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}

type Content = Exclude<LanguageModelV3Message['content'], string>[number];
type PromptFile = Extract<Content, { type: 'file' }>;

/** Reads a prompt of the AI SDK; what the contract cannot hold is left out, and noted. */
function readPrompt(
  prompt: readonly LanguageModelV3Message[],
  warnings: SharedV3Warning[],
): Message[] {
  return prompt.map((message) => {
    const { role, content, providerOptions } = message;
    const parts: readonly Part[] =
      typeof content === 'string'
        ? [{ type: 'text', text: content }]
        : content.flatMap((part) => {
            const read = readPart(part);
            if (read === undefined) {
              warnings.push({ type: 'unsupported', feature: `prompt content '${part.type}'` });
            }
            return read ?? [];
          });
    return { role, parts, ...metaOf(providerOptions) };
  });
}

function readPart(part: Content): Part | undefined {
  const meta = metaOf(part.providerOptions);
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { type: part.type, text: part.text, ...meta };
    case 'file':
      return readFile(part);
    case 'tool-call': {
      const { toolCallId: id, toolName: name, input } = part;
      const marks = part.providerExecuted ? { providerExecuted: true } : undefined;
      return {
        type: 'tool-call',
        id,
        name,
        input: plainJson(input),
        ...metaOf(part.providerOptions, marks),
      };
    }
    case 'tool-result': {
      const { toolCallId: id, toolName: name, output } = part;
      return { type: 'tool-result', id, name, ...readOutput(output), ...meta };
    }
    default:
      return undefined;
  }
}

function readFile({
  filename,
  mediaType,
  data,
  providerOptions,
}: PromptFile): FilePart | undefined {
  const content = readData(data);
  if (content === undefined) return undefined;
  return {
    type: 'file',
    // v4 also gives the first half of a media type alone.
    mediaType: mediaType.includes('/') ? mediaType : `${mediaType}/*`,
    data: content,
    ...(filename === undefined ? {} : { name: filename }),
    ...metaOf(providerOptions),
  };
}

/** `ai` 7 hands its tagged form through where v3 has no word for it. */
function readData(data: unknown): Uint8Array | URL | undefined {
  if (data instanceof Uint8Array || data instanceof URL) return data;
  if (typeof data === 'string') {
    return /^(https?|data|file):/.test(data) ? new URL(data) : fromBase64(data);
  }
  if (!isRecord(data)) return undefined;
  if (data['type'] === 'data') return readData(data['data']);
  if (data['type'] === 'url') return readData(data['url']);
  const text = data['type'] === 'text' ? data['text'] : undefined;
  return typeof text === 'string' ? new TextEncoder().encode(text) : undefined;
}
