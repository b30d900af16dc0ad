import { createHash } from 'node:crypto';
import type OpenAI from 'openai';
import { isProviderExecuted, toolFiles, toolOutputText } from '../../adapter-kit/tool-content.ts';
import { base64Of, unsentFiles, urlOf } from '../../adapter-kit/wire.ts';
import { type Fields, fieldsOf } from '../../json/fields.ts';
import type { ChatWarning } from '../../models/events.ts';
import { LLMError } from '../../models/llm-error.ts';
import {
  type FilePart,
  type Message,
  type Part,
  type ProviderMeta,
  textMessage,
  textOf,
  type ToolCallPart,
} from '../../models/message.ts';
import type { ChatRequest } from '../../models/request.ts';
import { effortFor } from '../model-families.ts';
import { instructionFor, outputForm } from '../output-form.ts';
import type { OpenAIProfile } from '../profiles.ts';
import type { Settings } from '../settings.ts';
import { recordsOf, SIGNATURES } from './read-reasoning.ts';

/** A request in the form of the wire, and what of it the server cannot do. */
export interface WrittenRequest {
  readonly body: OpenAI.ChatCompletionCreateParams;
  readonly warnings: readonly ChatWarning[];
}

/** Writes a request as the profile of the server wants it. */
export function writeRequest(
  model: string,
  { request, profile, isWhole = false }: Settings,
): WrittenRequest {
  const warnings: ChatWarning[] = unsentFiles(request.messages, ['system', 'assistant']);
  const { tools, toolChoice, output, topK, providerOptions } = request;
  const instruction = instructionFor(output, profile);
  const messages = [
    ...(instruction === undefined ? [] : [textMessage('system', instruction)]),
    ...request.messages,
  ];
  const optional: Record<string, unknown> = {
    [profile.tokenLimitField]: request.maxOutputTokens,
    temperature: request.temperature,
    top_p: request.topP,
    stop: request.stop && request.stop.length > 0 ? request.stop : undefined,
    seed: request.seed,
    stream_options: profile.streamUsage && !isWhole ? { include_usage: true } : undefined,
    response_format: formatOf(output, profile),
    ...effortOf(request, profile),
  };
  const { reasoning = 'default' } = request;
  if (reasoning !== 'default' && profile.reasoningEffort === 'none') {
    const message = `${profile.name} has no setting for how much to think`;
    warnings.push({ field: 'reasoning', message });
  }
  if (topK !== undefined) {
    if (profile.topK) optional['top_k'] = topK;
    else warnings.push({ field: 'topK', message: `${profile.name} has no topK; it was left out` });
  }
  if (tools && tools.length > 0) {
    optional['tools'] = tools.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, ...(description === undefined ? {} : { description }), parameters },
    }));
    if (toolChoice !== undefined) {
      if (profile.toolChoice) optional['tool_choice'] = choiceOf(toolChoice);
      else if (toolChoice !== 'auto') {
        warnings.push({
          field: 'toolChoice',
          message: `${profile.name} has no toolChoice; the model decides alone`,
        });
      }
    }
  }
  return {
    body: {
      model,
      messages: writeMessages(messages, profile),
      ...(isWhole ? {} : { stream: true }),
      ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
      ...profile.extraBody,
      ...providerOptions?.['openai'],
      ...(profile.name === 'openai' ? {} : providerOptions?.[profile.name]),
    },
    warnings,
  };
}

function formatOf(output: ChatRequest['output'], profile: OpenAIProfile): object | undefined {
  const form = outputForm(output, profile);
  if (form?.type !== 'json_schema') return form;
  const { type, ...schema } = form;
  return { type, json_schema: schema };
}

function choiceOf(choice: NonNullable<ChatRequest['toolChoice']>): unknown {
  return typeof choice === 'string'
    ? choice
    : { type: 'function', function: { name: choice.tool } };
}

function effortOf({ reasoning }: ChatRequest, profile: OpenAIProfile): Record<string, unknown> {
  const effort = effortFor(reasoning, profile);
  if (effort === undefined) return {};
  switch (profile.reasoningEffort) {
    case 'reasoning_effort':
      return { reasoning_effort: effort };
    case 'reasoning.effort':
      return { reasoning: effort === 'none' ? { enabled: false } : { effort } };
    case 'thinking':
      return effort === 'none'
        ? { thinking: { type: 'disabled' } }
        : { thinking: { type: 'enabled' }, reasoning_effort: effort };
    default:
      return {};
  }
}

type WireMessage = OpenAI.ChatCompletionMessageParam;
type Content = OpenAI.ChatCompletionContentPart;

/**
 * Messages in the form of Chat Completions.
 *
 * @throws LLMError with the code `unsupported` for a file that the form has no place for.
 */
function writeMessages(messages: readonly Message[], profile: OpenAIProfile): WireMessage[] {
  const ordered = profile.systemFirst ? withSystemFirst(messages) : messages;
  return ordered.flatMap((message, at) => {
    const written = writeMessage(message, profile);
    // Results must follow their calls: what else tools gave back comes after the last of them.
    const isLast = message.role === 'tool' && ordered[at + 1]?.role !== 'tool';
    return isLast ? [...written, ...writeToolFiles(ordered, at)] : written;
  });
}

/** Joins the instructions at the beginning; later ones are said by the user. */
function withSystemFirst(messages: readonly Message[]): readonly Message[] {
  const count = messages.findIndex(({ role }) => role !== 'system');
  const first = messages.slice(0, count < 0 ? messages.length : count);
  const rest = messages.slice(first.length);
  const joined = first.length < 2 ? first : [textMessage('system', first.map(textOf).join('\n\n'))];
  return [
    ...joined,
    ...rest.map((message) =>
      message.role === 'system' ? textMessage('user', textOf(message)) : message,
    ),
  ];
}

/** Results are text in this protocol: their files are shown by the user. */
function writeToolFiles(messages: readonly Message[], at: number): WireMessage[] {
  const from = messages.findLastIndex(({ role }, index) => index < at && role !== 'tool') + 1;
  const parts = messages.slice(from, at + 1).flatMap((message) => message.parts);
  const content = parts.flatMap((part): Content[] => {
    const files = part.type === 'tool-result' ? toolFiles(part).filter(canSend) : [];
    if (part.type !== 'tool-result' || files.length === 0) return [];
    const text = `Files returned by the tool '${part.name}' (${part.id}):`;
    return [{ type: 'text', text }, ...files.map(fileContent)];
  });
  return content.length === 0 ? [] : [{ role: 'user', content }];
}

function canSend({ mediaType, data }: FilePart): boolean {
  return mediaType.startsWith('image/') || data instanceof Uint8Array;
}

function writeMessage(message: Message, profile: OpenAIProfile): WireMessage[] {
  switch (message.role) {
    case 'system':
      return [{ role: profile.systemRole, content: textOf(message) }];
    case 'assistant':
      return [writeAssistant(message, profile)];
    default: {
      const results = message.parts.flatMap((part): WireMessage[] =>
        part.type === 'tool-result' && !isProviderExecuted(part)
          ? [{ role: 'tool', tool_call_id: idFor(part.id, profile), content: toolOutputText(part) }]
          : [],
      );
      const content = message.parts.flatMap(contentOf);
      if (content.length === 0) return results;
      const isText = content.every(({ type }) => type === 'text');
      return [...results, { role: 'user', content: isText ? textOf(message) : content }];
    }
  }
}

function contentOf(part: Part): Content[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }];
  return part.type === 'file' ? [fileContent(part)] : [];
}

function fileContent(part: FilePart): Content {
  const { mediaType, name = 'file' } = part;
  if (mediaType.startsWith('image/')) {
    return { type: 'image_url', image_url: { url: urlOf(part) } };
  }
  const data = base64Of(part);
  const format = /^audio\/(?:x-)?(wav|mpeg|mp3)$/.exec(mediaType)?.[1];
  if (format !== undefined && data !== undefined) {
    return {
      type: 'input_audio',
      input_audio: { data, format: format === 'wav' ? 'wav' : 'mp3' },
    };
  }
  if (data === undefined) {
    const message = `a file of type ${mediaType} can be sent as bytes only, not as an address`;
    throw new LLMError('unsupported', message);
  }
  return { type: 'file', file: { filename: name, file_data: urlOf(part) } };
}

function writeAssistant(message: Message, profile: OpenAIProfile): WireMessage {
  const { parts } = message;
  const calls = parts
    .filter((part) => part.type === 'tool-call')
    .filter((part) => !isProviderExecuted(part));
  const text = textOf(message);
  const thoughts = thinkingOf(parts, profile);
  const said = text === '' && calls.length > 0 ? null : text;
  const content = thoughts.length === 0 ? said : [...thoughts, { type: 'text' as const, text }];
  const carriesSignatures = profile.thinkingBlocks === true || profile.name === 'gemini-openai';
  const signed = parts.map(({ type, meta }) => (type === 'text' ? signaturesOf(meta) : {}));
  return {
    role: 'assistant',
    // Mistral has thoughts in the content, which the types of the SDK do not know.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    content: content as string | null,
    ...(carriesSignatures ? Object.assign({}, ...signed) : {}),
    ...(calls.length > 0 ? { tool_calls: calls.map((call) => writeCall(call, profile)) } : {}),
    ...reasoningOf(parts, calls.length > 0, profile),
    ...soundOf(parts, profile),
  };
}

/** Returns thoughts that came as a part of the content, for a server that has them there. */
function thinkingOf(parts: readonly Part[], { reasoningOut }: OpenAIProfile): readonly Fields[] {
  if (reasoningOut.field !== 'content' || reasoningOut.when === 'never') return [];
  return parts.flatMap((part) =>
    part.type === 'reasoning' && part.meta?.['openai']?.['thinking'] === true
      ? [{ type: 'thinking', thinking: [{ type: 'text', text: part.text }] }]
      : [],
  );
}

/** Sound that the model said goes back as its id. */
function soundOf(parts: readonly Part[], { name }: OpenAIProfile): object {
  const [audio] = parts.flatMap((part) => part.meta?.['openai']?.['audio'] ?? []);
  return audio === undefined || name !== 'openai' ? {} : { audio };
}

function writeCall(
  { id, name, input, meta }: ToolCallPart,
  profile: OpenAIProfile,
): OpenAI.ChatCompletionMessageToolCall {
  // Gemini's signature of a thought comes and goes back in a field that depends on who is in between.
  const signed = signaturesOf(meta);
  const { function: inner } = meta?.['openai'] ?? {};
  return {
    id: idFor(id, profile),
    type: 'function',
    function: { name, arguments: JSON.stringify(input), ...fieldsOf(inner) },
    ...signed,
  };
}

function signaturesOf(meta: ProviderMeta | undefined): Fields {
  const own = Object.entries(meta?.['openai'] ?? {});
  return Object.fromEntries(own.filter(([key]) => SIGNATURES.has(key)));
}

/** Ids that another server made, in the form that this one takes: the same for the same id. */
function idFor(id: string, { toolIds }: OpenAIProfile): string {
  if (toolIds === 'any' || /^[A-Za-z0-9]{9}$/.test(id)) return id;
  return createHash('sha256').update(id).digest('hex').slice(0, 9);
}

function reasoningOf(
  parts: readonly Part[],
  hasCalls: boolean,
  { reasoningOut: { field, when, none = '' }, thinkingBlocks }: OpenAIProfile,
): object {
  // Thoughts that another protocol keeps to itself have nothing to say here.
  const reasoning = parts
    .filter((part) => part.type === 'reasoning')
    .filter(({ text, meta }) => text !== '' || meta?.['openai']?.['item'] === undefined);
  const metas = reasoning.map(({ meta }) => meta);
  const blocks = thinkingBlocks ? recordsOf(metas, 'thinking_blocks') : [];
  const details = recordsOf(metas, 'reasoning_details');
  const opaque = thinkingBlocks
    ? metas.find((meta) => meta?.['openai']?.['reasoning_opaque'])
    : undefined;
  const text = reasoning.map((part) => part.text).join('');
  const signed = {
    ...(blocks.length > 0 ? { thinking_blocks: blocks } : {}),
    // Copilot.
    ...(opaque
      ? { reasoning_text: text, reasoning_opaque: opaque['openai']?.['reasoning_opaque'] }
      : {}),
  };
  if (reasoning.length === 0) return when === 'required' ? { [field]: none } : {};
  if (field === 'content') return signed;
  if (when === 'never' || (when === 'tool-turns' && !hasCalls)) {
    // MiniMax and others want the records back that they sent.
    return thinkingBlocks && details.length > 0
      ? { reasoning_details: details, ...signed }
      : signed;
  }
  return {
    [field]: text,
    ...(details.length > 0 ? { reasoning_details: details } : {}),
    ...signed,
  };
}
