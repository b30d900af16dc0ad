import type { JsonObject } from '@vizprompt/providers';
import { isJsonObject, textAt } from '@vizprompt/providers/internal';
import type { MessagePart } from './conversation.ts';
import { parseNested } from './fields.ts';

/** Tools whose input is a document that the reader of the chat sees: artifacts and canvas. */
const WRITERS =
  /^(?:artifacts|create_file|canmore\.(?:create|update)_textdoc|(?:create|update)_(?:artifact|document))$/;

/** The fields that hold the document, and those that say what it is. */
const TEXTS = ['content', 'file_text', 'new_str', 'text'];

/**
 * Adds the document that a call wrote as text of the answer after the call, where searches and readers find it.
 * An export of the call omits such a text, as an import of the call adds it again.
 */
export function withDocuments(part: MessagePart): MessagePart[] {
  if (part.type !== 'tool-call' || !WRITERS.test(part.tool)) return [part];
  const input = typeof part.input === 'string' ? parseNested(part.input) : part.input;
  if (!isJsonObject(input)) return [part];
  const field = TEXTS.find((name) => typeof input[name] === 'string');
  const updates = Array.isArray(input['updates']) ? input['updates'].filter(isJsonObject) : [];
  const texts =
    field === undefined
      ? updates.flatMap((update) => textAt(update, 'replacement') ?? [])
      : [textAt(input, field) ?? ''];
  const meta = { document: textAt(input, 'title', 'name', 'path', 'id') ?? '' };
  const language = languageOf(input);
  return [
    part,
    ...texts
      .filter((text) => text.trim() !== '')
      .map((text): MessagePart => ({ type: 'text', text: fenced(text, language), meta })),
  ];
}

/** Checks whether a part is the document of a call before it. */
export function isDocument(part: MessagePart): boolean {
  return part.type === 'text' && typeof part.meta?.['document'] === 'string';
}

/** Returns the language of a document that is code; `undefined` if it is prose. */
function languageOf(input: JsonObject): string | undefined {
  const named = textAt(input, 'language');
  if (named !== undefined) return named;
  const type = textAt(input, 'type') ?? '';
  if (/react/.test(type)) return 'jsx';
  if (/svg/.test(type)) return 'svg';
  if (/html/.test(type)) return 'html';
  if (/mermaid/.test(type)) return 'mermaid';
  const [, language] = /^code\/(..*)$/.exec(type) ?? [];
  if (language !== undefined) return language;
  if (type.endsWith('.code')) return '';
  const [, ending = ''] = /\.(\w{1,5})$/.exec(textAt(input, 'path') ?? '') ?? [];
  return ending === '' || /^(?:md|txt|markdown)$/.test(ending) ? undefined : ending;
}

function fenced(text: string, language: string | undefined): string {
  if (language === undefined) return text;
  const longest = [...text.matchAll(/`{3}`*/g)].reduce(
    (most, [run]) => Math.max(most, run.length),
    2,
  );
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
