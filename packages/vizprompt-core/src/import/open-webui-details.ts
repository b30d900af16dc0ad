import type { JsonValue } from '@vizprompt/providers';
import type { MessagePart } from './conversation.ts';
import { readToolInput } from './openai-message.ts';

const DETAILS = /<details\s+type="(reasoning|tool_calls)"([^>]*)>([\s\S]*?)<\/details>\n?/g;

/**
 * The pieces of an answer of Open WebUI, which writes thoughts and calls of tools into the text:
 * `<details type="reasoning">` and `<details type="tool_calls">`. The rest is the text.
 */
export function readDetails(content: string): MessagePart[] {
  const parts: MessagePart[] = [];
  let end = 0;
  const addText = (text: string): void => {
    if (text.trim() !== '') parts.push({ type: 'text', text: text.trim() });
  };
  for (const match of content.matchAll(DETAILS)) {
    const [whole, kind, attributes = '', body = ''] = match;
    addText(content.slice(end, match.index));
    end = match.index + whole.length;
    parts.push(...(kind === 'reasoning' ? [readThought(body)] : readCall(attributes, body)));
  }
  if (end === 0) return [{ type: 'text', text: content }];
  addText(content.slice(end));
  return parts;
}

/** A thought stands as a quotation behind its title. */
function readThought(body: string): MessagePart {
  const text = withoutSummary(body).replaceAll(/^(?:&gt;|>) ?/gm, '');
  return { type: 'reasoning', text: unescapeHtml(text).trim() };
}

function readCall(attributes: string, body: string): MessagePart[] {
  const values = new Map(
    [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => {
      return [name, unescapeHtml(value)] as const;
    }),
  );
  const [id, tool] = [values.get('id') ?? '', values.get('name') ?? ''];
  const result = values.get('result') ?? unescapeHtml(withoutSummary(body)).trim();
  return [
    { type: 'tool-call', id, tool, input: parsed(values.get('arguments') ?? '') },
    { type: 'tool-result', id, tool, output: parsed(result) },
  ];
}

/** Arguments and results are JSON, often JSON of a text that is JSON itself. */
function parsed(text: string): JsonValue {
  const value = readToolInput(text);
  return typeof value === 'string' && value !== text ? readToolInput(value) : value;
}

function withoutSummary(body: string): string {
  return body.replace(/<summary>[\s\S]*?<\/summary>\n?/, '');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
  '&#39;': "'",
  '&amp;': '&',
};

function unescapeHtml(text: string): string {
  return text.replaceAll(/&(?:lt|gt|quot|amp|#39|#x27);/g, (entity) => ENTITIES[entity] ?? entity);
}
