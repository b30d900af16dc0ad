import type { CallToolResult } from '@modelcontextprotocol/server';
import { type Logger, messageOf } from '@vizprompt/providers';
import { RagError } from '../errors.ts';
import type { Place } from '../project/file-in-area.ts';

/** Messages hold what they were asked for, which may be of any length. */
const MAX_ERROR = 10_000;

/** Returns a result for people and simple clients (text) and for programs (data). */
export function toolResult(text: string, data: Readonly<Record<string, unknown>>): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: { ...data } };
}

/**
 * Runs a tool. An error comes back as a result: the mistake, the choices, what to call
 * next, so that a model can do better on its own.
 */
export async function runTool(
  { place, logger }: { readonly place?: Place; readonly logger: Logger },
  task: () => Promise<CallToolResult>,
): Promise<CallToolResult> {
  try {
    return await task();
  } catch (error) {
    if (!RagError.isInstance(error)) logger.error('a tool failed', { error: messageOf(error) });
    const way = RagError.isInstance(error) ? wayOut(error, place) : undefined;
    const text = way === undefined ? messageOf(error) : `${messageOf(error)}\n${way}`;
    return { content: [{ type: 'text', text: shortened(text, MAX_ERROR) }], isError: true };
  }
}

function wayOut(error: RagError, place: Place | undefined): string | undefined {
  const tools = place && toolsOf(place);
  switch (error.code) {
    case 'project-not-found':
      return 'Call list_novel_projects for the ids of all projects.';
    case 'file-not-found':
      return [filesOf(error), tools && `Call ${tools.list} for all files.`]
        .filter(Boolean)
        .join(' ');
    case 'file-exists':
      return `${tools?.get} shows what it holds now.`;
    case 'path-invalid':
      return place === undefined || place === 'instructions'
        ? undefined
        : `Give a path such as ${place}/名前.md or ${place}/第一部/名前.txt. ${tools?.list} shows the files that are there.`;
    case 'query-invalid':
      return 'Ask in plain words: no query syntax is needed. Write a regular expression between slashes: /第[0-9]+章/.';
    case 'invalid-input':
    case 'file-invalid':
    case 'file-failed':
      return undefined;
    default:
      return 'The same call may work later.';
  }
}

function filesOf({ context }: RagError): string | undefined {
  const { files, total } = context;
  if (!Array.isArray(files) || files.length === 0) return undefined;
  const more = Number(total) > files.length ? `, and ${Number(total) - files.length} more` : '';
  return `There are: ${files.join(', ')}${more}.`;
}

/** The most that an answer holds, in UTF-16 code units: models lose what is longer, or pay for it. */
const MAX_ANSWER_CHARACTERS = 60_000;

/** The words around the text of one file take less than the rest. */
export const MAX_TEXT_CHARACTERS = 58_000;

/** Room for the words around the entries. */
const FRAME_CHARACTERS = 1000;

/** Returns the entries of a page that fit into an answer, the first one in any case. */
export function fitting<T>(items: readonly T[], sizeOf: (item: T) => number): readonly T[] {
  let left = MAX_ANSWER_CHARACTERS - FRAME_CHARACTERS;
  const end = items.findIndex((item) => {
    left -= sizeOf(item);
    return left < 0;
  });
  return end < 0 ? items : items.slice(0, Math.max(end, 1));
}

/** Where the next page begins, after this many entries. */
export function nextOf(
  offset: number,
  count: number,
  total: number,
): { readonly total: number; readonly nextOffset?: number } {
  const next = offset + count;
  return next < total && count > 0 ? { total, nextOffset: next } : { total };
}

export const NO_FILES = 'There are no files here yet.';

/** Says what a page without entries means: there are none, or the page begins after the last one. */
export function emptyPage(total: number, none: string): string {
  return total === 0
    ? none
    : `There is nothing at this offset: there are ${total} in all, from offset 0.`;
}

/** Returns a text of at most this many code units, with a sign that it was cut; no character is halved. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const isHalf = (text.codePointAt(length - 2) ?? 0) > 0xff_ff;
  return `${text.slice(0, isHalf ? length - 2 : length - 1)}…`;
}

/** `line 3`, or `lines 3-5`. */
export function linesText(start: number, end: number): string {
  return start === end ? `line ${start}` : `lines ${start}-${end}`;
}

/** The names of the tools of an area, and their words for it. */
interface ToolArea {
  readonly place: Place;
  /** The word after `list_` and `get_`. */
  readonly plural: string;
  readonly about: string;
}

export const SETTINGS: ToolArea & { readonly place: 'settings' } = {
  place: 'settings',
  plural: 'novel_settings',
  about: 'the settings (characters, world, plans; the folder settings/) of a novel project',
};

export const CONTENTS: ToolArea & { readonly place: 'contents' } = {
  place: 'contents',
  plural: 'novel_content',
  about: 'the manuscript (chapters; the folder contents/) of a novel project',
};

export const INSTRUCTIONS: ToolArea & { readonly place: 'instructions' } = {
  place: 'instructions',
  plural: 'novel_instructions',
  about:
    'the instructions (DIALOGOI.md) of a novel project: how its author wants it to be worked on',
};

/** Returns the tools of a place, to name them in messages. */
export function toolsOf(place: Place): { readonly list: string; readonly get: string } {
  const area = [SETTINGS, CONTENTS, INSTRUCTIONS].find((known) => known.place === place);
  return { list: `list_${area?.plural}`, get: `get_${area?.plural}` };
}
