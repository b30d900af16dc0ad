import type { LanguageModelV3Message, SharedV3Warning } from '@ai-sdk/provider';
import { readOutput } from '../adapter-kit/content-message.ts';
import { isRecord } from '../json/fields.ts';
import type { FilePart, Message, Part } from '../models/message.ts';
import { fromBase64, metaOf, plainJson } from './json.ts';

type Content = Exclude<LanguageModelV3Message['content'], string>[number];
type PromptFile = Extract<Content, { type: 'file' }>;

/** Reads a prompt of the AI SDK; what the contract cannot hold is left out, and noted. */
export function readPrompt(
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
