/** What the front matter of a document says of it. */
export interface FrontMatter {
  readonly title?: string;
  readonly tags: readonly string[];
}

const KEY = /^(?<key>[A-Za-z_]+)\s*:(?:\s+(?<value>.*))?$/u;
const ITEM = /^\s*-\s+(?<value>.*)$/u;
const ANY_KEY = /^[^\s#:-][^:]*:(?:\s|$)/u;
/** A fence, a comment, nothing. */
const BETWEEN = /^(?:---[ \t]*|\s*#.*|\s*)$/u;
/** What goes on from a key: an item, the end of a list, an indented line. */
const UNDER_KEY = /^(?:-(?:\s|$)|[\]}]|[ \t])/u;

/**
 * Reads `title` and `tags` from YAML, and nothing else: one line for the title; a list in brackets, a
 * list of lines or words with commas for the tags. What it cannot read is passed over.
 *
 * @param yaml - With its fences.
 * @returns `undefined` if it is text between two rules: a line that can stand under no key of YAML.
 */
export function readFrontMatter(yaml: string): FrontMatter | undefined {
  if (!isMapping(yaml)) return undefined;
  const values = new Map<string, string[]>();
  let open: string[] | undefined;
  for (const line of yaml.split(/\r\n?|\n/)) {
    const { key, value = '' } = KEY.exec(line)?.groups ?? {};
    const item = ITEM.exec(line)?.groups?.['value'];
    if (key !== undefined) {
      open = value.trim() === '' ? [] : [value.trim()];
      values.set(key.toLowerCase(), open);
    } else if (item !== undefined) open?.push(`[${item.trim()}]`);
  }
  const title = scalar(values.get('title')?.[0] ?? '');
  const tags = (values.get('tags') ?? values.get('tag') ?? []).flatMap(listOf);
  return { ...(title !== '' && { title }), tags: [...new Set(tags)] };
}

function isMapping(yaml: string): boolean {
  let hasKey = false;
  for (const line of yaml.split(/\r\n?|\n/)) {
    if (BETWEEN.test(line)) continue;
    const isKey = ANY_KEY.test(line);
    if (!isKey && !(hasKey && UNDER_KEY.test(line))) return false;
    hasKey ||= isKey;
  }
  return hasKey;
}

function listOf(value: string): string[] {
  const inner = /^\[(?<inner>.*)\]\s*(?:#.*)?$/u.exec(value)?.groups?.['inner'] ?? value;
  const parts = inner.match(/\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,、]+)/gu) ?? [];
  return parts.map((part) => scalar(part.trim()).replace(/^#/u, '')).filter((part) => part !== '');
}

function scalar(value: string): string {
  const quoted = /^(?<quote>["'])(?<inner>.*)\k<quote>\s*(?:#.*)?$/u.exec(value)?.groups;
  if (quoted === undefined) return value.replace(/(?:^|\s)#(?=\s|$).*$/u, '').trim();
  const inner = quoted['inner'] ?? '';
  return quoted['quote'] === '"'
    ? inner.replaceAll(/\\(["\\])/gu, '$1')
    : inner.replaceAll("''", "'");
}
