import type { ChatRequest as WireRequest, Message as WireMessage, Tool as WireTool } from 'ollama';
import { nearestLevel, type Effort } from '../adapter-kit/effort.ts';
import { isProviderExecuted, toolFiles, toolOutputText } from '../adapter-kit/tool-content.ts';
import { base64Of } from '../adapter-kit/wire.ts';
import { isJsonObject, type JsonValue } from '../json/json-value.ts';
import type { ChatWarning } from '../models/events.ts';
import { LLMError } from '../models/llm-error.ts';
import { textOf, type Message, type ToolResultPart } from '../models/message.ts';
import type { ChatRequest } from '../models/request.ts';

/** The two switches against silent cuts, which the SDK passes on and does not know of. */
interface Uncut {
  readonly truncate: false;
  readonly shift: false;
}

/** A request in the form of Ollama's chat API, and what of it Ollama cannot do. */
export interface WrittenRequest {
  readonly body: WireRequest & { stream: true } & Uncut;
  readonly warnings: readonly ChatWarning[];
}

/** How Ollama is to run the model. */
export interface OllamaSettings {
  readonly model: string;
  readonly contextWindow?: number | undefined;
  readonly keepAlive?: string | number | undefined;
}

/** Writes a request for Ollama. */
export function writeRequest(settings: OllamaSettings, request: ChatRequest): WrittenRequest {
  const { model, contextWindow, keepAlive } = settings;
  const { output, tools = [], toolChoice, reasoning, providerOptions } = request;
  const warnings: ChatWarning[] = [];
  if (toolChoice !== undefined && toolChoice !== 'auto' && toolChoice !== 'none') {
    warnings.push({
      field: 'toolChoice',
      message: 'Ollama has no toolChoice; the model decides alone',
    });
  }
  const offered = toolChoice === 'none' ? [] : tools;
  const options = {
    num_ctx: contextWindow,
    num_predict: request.maxOutputTokens,
    temperature: request.temperature,
    top_p: request.topP,
    top_k: request.topK,
    seed: request.seed,
    stop: request.stop && request.stop.length > 0 ? [...request.stop] : undefined,
  };
  const { options: ownOptions, ...own } = providerOptions?.['ollama'] ?? {};
  return {
    warnings,
    body: {
      model,
      messages: request.messages.flatMap(writeMessage),
      stream: true,
      truncate: false,
      shift: false,
      ...(offered.length > 0 ? { tools: offered.map(writeTool) } : {}),
      ...(output?.type === 'json' ? { format: output.schema ?? 'json' } : {}),
      ...(reasoning === undefined || reasoning === 'default' ? {} : { think: thinkOf(reasoning) }),
      ...(keepAlive === undefined ? {} : { keep_alive: keepAlive }),
      options: {
        ...Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
        ...(isJsonObject(ownOptions) ? ownOptions : {}),
      },
      ...own,
    },
  };
}

/** The levels of models that have some; the others think or do not. */
const LEVELS = ['low', 'medium', 'high'] as const;

function thinkOf(reasoning: Effort): boolean | (typeof LEVELS)[number] {
  return reasoning === 'none' ? false : (nearestLevel(reasoning, LEVELS) ?? true);
}

function writeTool({
  name,
  description = '',
  parameters,
}: NonNullable<ChatRequest['tools']>[number]): WireTool {
  return { type: 'function', function: { name, description, parameters: { ...parameters } } };
}

function writeMessage(message: Message): WireMessage[] {
  const { role } = message;
  const parts = message.parts.filter((part) => !isProviderExecuted(part));
  const results = parts.flatMap((part): WireMessage[] =>
    part.type === 'tool-result'
      ? [
          {
            role: 'tool',
            content: toolOutputText(part),
            tool_name: part.name,
            ...imagesOf(part),
          },
        ]
      : [],
  );
  const images = parts.flatMap((part) => (part.type === 'file' ? [imageOf(part)] : []));
  const calls = parts.flatMap((part) =>
    part.type === 'tool-call'
      ? [{ function: { name: part.name, arguments: toArguments(part.input) } }]
      : [],
  );
  const thinking = parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
  const content = textOf(message);
  const isEmpty = content === '' && images.length + calls.length === 0;
  if (isEmpty && results.length > 0) return results;
  return [
    ...results,
    {
      role: role === 'tool' ? 'user' : role,
      content,
      ...(images.length > 0 ? { images } : {}),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
      // A model needs its thoughts where it continued to call a tool, and nowhere else.
      ...(calls.length > 0 && thinking !== '' ? { thinking } : {}),
    },
  ];
}

/** Returns the pictures that a tool gave back; other files are only named in the text. */
function imagesOf(part: ToolResultPart): { images?: string[] } {
  const images = toolFiles(part)
    .filter(({ mediaType }) => mediaType.startsWith('image/'))
    .flatMap((file) => base64Of(file) ?? []);
  return images.length === 0 ? {} : { images };
}

function toArguments(input: JsonValue): Record<string, unknown> {
  return isJsonObject(input) ? { ...input } : { value: input };
}

function imageOf(part: Extract<Message['parts'][number], { type: 'file' }>): string {
  const data = base64Of(part);
  if (data !== undefined && part.mediaType.startsWith('image/')) return data;
  const what = data === undefined ? 'the address of a file' : `a file of type ${part.mediaType}`;
  throw new LLMError('unsupported', `Ollama reads the bytes of images only, not ${what}`);
}
