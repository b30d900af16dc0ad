import { createHash } from 'node:crypto';
import type OpenAI from 'openai';
import { isProviderExecuted } from '../../adapter-kit/server-tools.ts';
import { toolFiles, toolOutputText } from '../../adapter-kit/tool-content.ts';
import { base64Of, urlOf } from '../../adapter-kit/wire.ts';
import { fieldsOf, type Fields } from '../../json/fields.ts';
import { LLMError } from '../../models/llm-error.ts';
import {
  textMessage,
  textOf,
  type FilePart,
  type Message,
  type Part,
  type ProviderMeta,
  type ToolCallPart,
} from '../../models/message.ts';
import type { OpenAIProfile } from '../profiles.ts';
import { recordsOf, SIGNATURES } from './read-reasoning.ts';

type WireMessage = OpenAI.ChatCompletionMessageParam;
type Content = OpenAI.ChatCompletionContentPart;

/**
 * Messages in the form of Chat Completions.
 *
 * @throws LLMError with the code `unsupported` for a file that the form has no place for.
 */
export function writeMessages(messages: readonly Message[], profile: OpenAIProfile): WireMessage[] {
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
