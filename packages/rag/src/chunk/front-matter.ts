import { exportsOf } from '@vizprompt/providers/internal';
import type * as Yaml from 'yaml';
import { headingText } from './source-text.ts';

/** The front matter of a document. */
export interface FrontMatter {
  readonly title?: string;
  readonly tags: readonly string[];
}

/** No front matter has more letters, and a parser may take a second for this many. */
const MAX_LENGTH = 50_000;

/**
 * Reads `title` and `tags`: a list, or words with commas.
 *
 * @param yaml - Between its fences.
 * @returns `undefined` if it is text between two rules: no YAML, none with keys, or very long.
 */
export async function readFrontMatter(yaml: string): Promise<FrontMatter | undefined> {
  if (yaml.length > MAX_LENGTH) return undefined;
  const lines = yaml.replaceAll(/\r\n?/g, '\n');
  const mapping = await readYamlMapping(lines);
  if (mapping === undefined || mapping.size === 0) return undefined;
  const values = new Map([...mapping].map(([key, value]) => [lineOf(key).toLowerCase(), value]));
  const title = headingText(lineOf(values.get('title')));
  const tags = listOf(values.get('tags') ?? values.get('tag'))
    .map((tag) => lineOf(tag).replace(/^#/u, ''))
    .filter((tag) => tag !== '');
  return { ...(title !== '' && { title }), tags: [...new Set(tags)] };
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'string' ? value.split(/[,、]/u) : [];
}

/** Returns a text in one line. */
function lineOf(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll(/\s\s*/gu, ' ').trim() : '';
}

/** Aliases may repeat their content at most this many times: a few lines can mean gigabytes. */
const MAX_ALIASES = 100;

let parser: Promise<typeof Yaml> | undefined;

/**
 * Reads any YAML. The parser is loaded with the first one.
 *
 * @param yaml - With lines that end with LF.
 * @returns `undefined` if it is not YAML, or no mapping.
 */
async function readYamlMapping(yaml: string): Promise<ReadonlyMap<unknown, unknown> | undefined> {
  parser ??= import('yaml');
  const { parse } = exportsOf(await parser);
  try {
    const found: unknown = parse(yaml, {
      // A value that looks like a number stays as it is written.
      schema: 'failsafe',
      customTags: ['null'],
      mapAsMap: true,
      maxAliasCount: MAX_ALIASES,
      // Looking for equal keys takes the square of their number.
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'error',
    });
    return found instanceof Map ? found : undefined;
  } catch {
    return undefined;
  }
}
