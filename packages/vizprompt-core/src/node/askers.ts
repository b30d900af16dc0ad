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

/** Writes a prompt with the name of each person before what that person says. */
export function withAskers({
  prompt,
  promptParts,
}: Pick<VizNode, 'prompt' | 'promptParts'>): string {
  const ranges = promptParts.filter(
    (part) => part.type === 'text' && isAsked(part) && part.name !== undefined,
  );
  let written = '';
  let end = 0;
  let last: string | undefined;
  for (const { start, end: stop, name = '' } of ranges.filter((part) => part.type === 'text')) {
    if (start < end) continue;
    written += prompt.slice(end, start);
    if (name !== last) written += `${name}: `;
    written += prompt.slice(start, stop);
    [end, last] = [stop, name];
  }
  return written + prompt.slice(end);
}
