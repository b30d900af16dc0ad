import { type Fields, fieldsOf, isRecord, listOf, stringOf } from '../json/fields.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { FilePart, Part, TextPart, ToolResultPart } from '../models/message.ts';
import { isFileForm, isSurelyFile, readFileForm } from './media.ts';
import { base64Of } from './wire.ts';

/** The output of a tool, in parts that a model can read. */
export type ToolContent = readonly (TextPart | FilePart)[];

/**
 * Reads the output of a tool: strings unchanged, files as files, all else as JSON. Files are recognized in the forms
 * that tools return: a list of content, or an object with such a list (`content`), of MCP, OpenAI (Chat Completions and
 * Responses), Anthropic, the AI SDK (5 to 7), Gemini, or this SDK.
 *
 * Sources: the types `CallToolResult`, `ChatCompletionContentPart`, `ResponseInputContent`, `ToolResultBlockParam`,
 * `LanguageModelV3ToolResultOutput` and `FunctionResponsePart`.
 */
export function toolContent(output: JsonValue): ToolContent {
  return contentIn(output) ?? [textPart(textOfOutput(output))];
}

/** Returns the output of a tool as a string; files are only named. */
export function toolOutputText({ output, isError }: ToolResultPart): string {
  const content = toolContent(output);
  const text = content.map((part) => (part.type === 'text' ? part.text : mention(part))).join('\n');
  return isError ? `Error: ${text}` : text;
}

/** Returns the files in the output of a tool. */
export function toolFiles({ output }: ToolResultPart): readonly FilePart[] {
  return toolContent(output).filter((part) => part.type === 'file');
}

/** Writes texts and files as JSON that {@link toolContent} reads: what a tool returns is stored as JSON. */
export function toolOutput(content: ToolContent): JsonValue {
  return content.map((part) => {
    if (part.type === 'text') return { type: 'text', text: part.text };
    const { mediaType, name, data } = part;
    const about = { type: 'file', mediaType, ...(name === undefined ? {} : { name }) };
    return data instanceof URL
      ? { ...about, url: data.href }
      : { ...about, data: base64Of(part) ?? '' };
  });
}

function textPart(text: string): TextPart {
  return { type: 'text', text };
}

function textOfOutput(output: JsonValue): string {
  return typeof output === 'string' ? output : JSON.stringify(output);
}

/** Names a file in a text. */
export function mention({ mediaType, name }: FilePart): string {
  return name === undefined ? `[file: ${mediaType}]` : `[file: ${name} (${mediaType})]`;
}

/** `undefined` for what is not content: then it is data. */
function contentIn(output: JsonValue): ToolContent | undefined {
  const fields = fieldsOf(output);
  const listed = isRecord(output) ? (fields['content'] ?? fields['value'] ?? [output]) : output;
  const items = listOf(listed);
  if (items.length === 0) return undefined;
  const parts = items.map((item) => itemOf(fieldsOf(item)));
  if (parts.some((part) => part === undefined)) return undefined;
  const content = parts.flatMap((part) => part ?? []);
  // An object that only resembles a text part is data, and so are fields next to a list of texts.
  const hasFile = content.some(({ type }) => type === 'file');
  if (!isRecord(output)) return content;
  if (listed !== fields['content'] && !hasFile) return undefined;
  const { structuredContent } = fields;
  const isPart = listed !== fields['content'] && listed !== fields['value'];
  const rest = isPart ? [] : Object.entries(output).filter(([key]) => !ENVELOPE.has(key));
  if (rest.length > 0 && !hasFile) return undefined;
  const isSaid = content.some(({ type }) => type === 'text');
  return [
    ...content,
    ...(rest.length > 0 ? [textPart(JSON.stringify(Object.fromEntries(rest)))] : []),
    ...(structuredContent === undefined || isSaid
      ? []
      : [textPart(JSON.stringify(structuredContent))]),
  ];
}

/** Keys of MCP's `CallToolResult` and of the AI SDK's `{ type: 'content', value }`. */
const ENVELOPE = new Set(['content', 'value', 'type', 'isError', 'structuredContent', '_meta']);

/** One item of content in any form; `undefined` for what is none. */
function itemOf(item: Fields): TextPart | FilePart | undefined {
  const type = stringOf(item['type']);
  if (type === undefined) return inlineOf(item);
  const text = stringOf(item['text']);
  if (/^(?:input_|output_)?text$/.test(type))
    return text === undefined ? undefined : textPart(text);
  if (type === 'resource') return resourceOf(fieldsOf(item['resource']));
  if (type === 'resource_link') return linkOf(item);
  return isFileForm(item) && isSurelyFile(item) ? readFileForm(item) : undefined;
}

/** Gemini: `{ inlineData: { mimeType, data } }` and `{ fileData: { mimeType, fileUri } }`. */
function inlineOf(item: Fields): TextPart | FilePart | undefined {
  const { inlineData, fileData, text } = item;
  if (typeof text === 'string' && Object.keys(item).length === 1) return textPart(text);
  if (isRecord(inlineData)) return readFileForm({ ...inlineData, type: 'file' });
  if (!isRecord(fileData)) return undefined;
  return readFileForm({ ...fileData, url: fileData['fileUri'], type: 'file' });
}

/** Reads a resource of MCP: its text as a text part, even if the text belongs to a file. */
function resourceOf(resource: Fields): TextPart | FilePart | undefined {
  const text = stringOf(resource['text']);
  if (text !== undefined) return textPart(text);
  const { uri, ...rest } = resource;
  return readFileForm({ ...rest, type: 'file', ...(typeof uri === 'string' ? { name: uri } : {}) });
}

/** MCP: where a resource lies, which only its client can read. */
function linkOf(item: Fields): TextPart | undefined {
  const { uri, name, description } = item;
  if (typeof uri !== 'string') return undefined;
  const about = [name, description].filter((text) => typeof text === 'string').join(': ');
  return textPart(about === '' ? uri : `${about} (${uri})`);
}

/**
 * Checks whether a call or a result belongs to a tool that a provider ran itself. It goes back to that provider only: no
 * other has the tool, and no caller waits for its result.
 */
export function isProviderExecuted({ meta }: Part): boolean {
  return Object.values(meta ?? {}).some((own) => own['providerExecuted'] === true);
}
