import { canonicalJson } from '../json/canonical-json.ts';
import { fieldsOf, jsonOf, listOf, parseJson, stringOf, type Fields } from '../json/fields.ts';
import type { JsonValue } from '../json/json-value.ts';

/**
 * Reads the result of a tool call for a model: text as a string, data unchanged, and pictures, sound and resources as
 * the list of content that the server sent. Content for users only is omitted.
 *
 * @throws Error with the text of the server for a call that failed.
 */
export function readResult(result: object): JsonValue {
  const fields = fieldsOf(result);
  const { structuredContent, isError, toolResult } = fields;
  const content = listOf(fields['content']).map(fieldsOf).filter(isForModel);
  if (isError === true) throw new Error(failureOf(content, structuredContent));
  // Servers of the protocol of 2024-10 have no content.
  if (toolResult !== undefined) return jsonOf(toolResult);
  const texts = content.map((item) =>
    item['type'] === 'text' ? stringOf(item['text']) : undefined,
  );
  const text = texts.every((each) => each !== undefined) ? texts.join('\n') : undefined;
  if (structuredContent === undefined) return text ?? content.map(plain);
  const data = jsonOf(structuredContent);
  if (content.length === 0 || (text !== undefined && isSame(text, data))) return data;
  return [...content.map(plain), { type: 'text', text: JSON.stringify(data) }];
}

function isForModel({ annotations }: Fields): boolean {
  const { audience } = fieldsOf(annotations);
  return !Array.isArray(audience) || audience.length === 0 || audience.includes('assistant');
}

/** Servers repeat data as text for clients that read no data. */
function isSame(text: string, data: JsonValue): boolean {
  const parsed = parseJson(text);
  return parsed !== undefined && canonicalText(parsed) === canonicalText(data);
}

function canonicalText(value: JsonValue): string {
  return JSON.stringify(canonicalJson(value));
}

/** Removes fields that are for hosts and not for models: they cost tokens. */
function plain({ _meta: _, annotations: __, icons: ___, ...item }: Fields): JsonValue {
  return jsonOf(item);
}

function failureOf(content: readonly Fields[], structuredContent: unknown): string {
  const texts = content.map((item) => stringOf(item['text']) ?? `[${String(item['type'])}]`);
  if (texts.length > 0) return texts.join('\n');
  return structuredContent === undefined
    ? 'the tool failed, and its server does not say why'
    : JSON.stringify(structuredContent);
}
