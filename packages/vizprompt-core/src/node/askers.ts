import { visibleText, withForgedLinesQuoted } from '@vizprompt/providers/internal';
import type { NodePart, VizNode } from './node.ts';

/** Checks whether a person wrote this part of a prompt. */
function isAsked({ role = 'user' }: NodePart): boolean {
  return role === 'user';
}

/** Adds the name of the person to the text and the files of a prompt that have no name. */
export function sayWhoAsks(
  prompt: string,
  parts: readonly NodePart[],
  name: string | undefined,
): readonly NodePart[] {
  if (name === undefined) return parts;
  const hasText = parts.some((part) => part.type === 'text' && isAsked(part));
  const whole: readonly NodePart[] = hasText
    ? parts
    : [{ type: 'text', start: 0, end: prompt.length }, ...parts];
  return whole.map((part) => (isAsked(part) ? { name, ...part } : part));
}

/** Returns the names of those who ask in a node, each once. */
export function askersOf({ promptParts }: Pick<VizNode, 'promptParts'>): readonly string[] {
  const names = promptParts.flatMap((part) => (isAsked(part) ? (part.name ?? []) : []));
  return [...new Set(names)];
}

/** The most characters of a name in a context. */
const MAX_NAME = 100;

/** Returns a name as a context shows it: on one line, as names of chats may hold anything, also lines of another person. */
export function shownName(name: string): string {
  const characters = Array.from(visibleText(name).replaceAll(/\s\s*/g, ' ').trim());
  const isCut = characters.length > MAX_NAME;
  return isCut ? `${characters.slice(0, MAX_NAME).join('')}…` : characters.join('');
}

/**
 * Writes a prompt with the name of each person before what that person says.
 *
 * @param names - The names in the context: a line that begins as the words of one of them is quoted.
 */
export function withAskers(
  { prompt, promptParts }: Pick<VizNode, 'prompt' | 'promptParts'>,
  names: readonly string[],
): string {
  const said = (start: number, stop?: number): string =>
    withForgedLinesQuoted(prompt.slice(start, stop), names);
  const ranges = promptParts.filter(
    (part) => part.type === 'text' && isAsked(part) && part.name !== undefined,
  );
  let written = '';
  let end = 0;
  let last: string | undefined;
  for (const { start, end: stop, name = '' } of ranges.filter((part) => part.type === 'text')) {
    if (start < end) continue;
    written += said(end, start);
    if (name !== last) written += `${shownName(name)}: `;
    written += said(start, stop);
    [end, last] = [stop, name];
  }
  return written + said(end);
}
