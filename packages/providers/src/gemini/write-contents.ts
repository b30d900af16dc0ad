import type { Blob, Content, FileData, Part as WirePart } from '@google/genai';
import { isProviderExecuted } from '../adapter-kit/server-tools.ts';
import { toolFiles, toolOutputText } from '../adapter-kit/tool-content.ts';
import { base64Of } from '../adapter-kit/wire.ts';
import { stringOf } from '../json/fields.ts';
import { isJsonObject } from '../json/json-value.ts';
import {
  textOf,
  type FilePart,
  type Message,
  type Part,
  type ToolResultPart,
} from '../models/message.ts';

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
