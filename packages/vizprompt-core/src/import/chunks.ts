import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject, listAt, objectOf } from '@vizprompt/providers/internal';
import { markdownLink } from './citations.ts';
import { readPiece } from './content.ts';
import type { MessagePart } from './conversation.ts';
import { firstText, parseNested, spelled } from './fields.ts';

/**
 * Reads an answer whose text is cut into chunks, with references and notes between them, as Le Chat and VS Code
 * store it: the chunks of a paragraph are one text again.
 *
 * @returns `undefined` if it is no list.
 */
export function readChunks(value: JsonValue | undefined): MessagePart[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const parts: MessagePart[] = [];
  let text = '';
  let notes: MessagePart[] = [];
  const close = (): void => {
    if (text !== '') parts.push({ type: 'text', text });
    parts.push(...notes);
    [text, notes] = ['', []];
  };
  for (const piece of value.flatMap((each: JsonValue) => chunkOf(each))) {
    if (piece.type === 'text' && !piece.meta) text += piece.text;
    else if (piece.type === 'data') notes.push(piece);
    else {
      close();
      parts.push(piece);
    }
  }
  close();
  return parts;
}

function chunkOf(piece: JsonValue): MessagePart[] {
  const named = isJsonObject(piece) ? nameOf(piece) : undefined;
  const parts = readPiece(piece);
  return named === undefined ? parts : [{ type: 'text', text: named }, ...parts];
}

/** Returns the text that a reference within a text is shown as. */
function nameOf(piece: JsonObject): string | undefined {
  const links = piece['type'] === 'reference' ? listAt(piece, 'references') : [];
  const shown = links.flatMap((link) => {
    const fields = spelled(objectOf(link));
    const url = firstText(fields, ['url', 'source']);
    return url === undefined ? [] : [markdownLink(firstText(fields, ['title']) ?? url, url)];
  });
  if (shown.length > 0) return ` (${shown.join(', ')})`;
  const target = piece['inlineReference'];
  if (!isJsonObject(target)) return undefined;
  const place = isJsonObject(target['uri']) ? target['uri'] : target;
  const path = firstText(spelled(place), ['path', 'fspath', 'external']) ?? '';
  const name =
    firstText(spelled(piece), ['name']) ?? firstText(spelled(target), ['name']) ?? baseOf(path);
  return name === '' ? undefined : `\`${name}\``;
}

function baseOf(path: string): string {
  return path.replace(/^.*[/\\]/, '');
}

/** Returns the parts of blocks; several may hold the same answer, each for another view of it. */
function blocksOf(blocks: readonly JsonValue[]): MessagePart[] {
  const said = new Set<string>();
  return blocks.flatMap(readPiece).filter((part) => {
    if (part.type !== 'text') return true;
    const isNew = !said.has(part.text);
    said.add(part.text);
    return isNew;
  });
}

/**
 * Reads an answer of Perplexity that is JSON: a list of steps, of which the last has the text in JSON within JSON, or
 * an object with the text and its sources.
 *
 * @returns `undefined` for any other answer.
 */
export function readSteps(value: JsonValue | undefined): MessagePart[] | undefined {
  const steps = typeof value === 'string' ? parseNested(value) : value;
  const whole = isJsonObject(steps) ? steps['answer'] : undefined;
  if (typeof whole === 'string') return [{ type: 'text', text: whole }];
  if (!Array.isArray(steps)) return undefined;
  if (steps.some((each: JsonValue) => 'markdown_block' in objectOf(each))) return blocksOf(steps);
  const last = steps.map(objectOf).find((step) => step['step_type'] === 'FINAL');
  const said = objectOf(last?.['content'])['answer'];
  if (typeof said !== 'string') return undefined;
  const { answer } = objectOf(parseNested(said));
  return [{ type: 'text', text: typeof answer === 'string' ? answer : said }];
}
