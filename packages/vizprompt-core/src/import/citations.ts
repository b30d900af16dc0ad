import type { JsonObject, JsonValue } from '@vizprompt/providers';
import {
  isJsonObject,
  listAt,
  numberAt,
  objectAt,
  objectOf,
  textAt,
} from '@vizprompt/providers/internal';
import type { MessagePart } from './conversation.ts';
import { parseNested, spelled, type Spelled } from './fields.ts';

/** The markers of sources in the answers of ChatGPT: between characters of private use. */
const MARKERS = /[\ue200\ue203\ue204](?:[^\ue200\ue201]*\ue201)?|[\ue200-\ue206]/g;

/** The character between the parts of a marker. */
const BETWEEN = '\ue202';

/** Returns the words that a marker is shown as: the name of an entity, the text of a link, a formula. */
function shownOf(marker: string): string {
  const [kind, said, target = ''] = marker.replaceAll(/[\ue200\ue201]/g, '').split(BETWEEN);
  if (said === undefined) return '';
  if (kind === 'url') return /^https?:/.test(target) ? markdownLink(said, target) : said;
  const value = parseNested(said);
  if (Array.isArray(value)) return typeof value[1] === 'string' ? value[1] : '';
  if (!isJsonObject(value)) return kind === 'product' ? target : '';
  const named = listAt(value, 'selections').flatMap((each) =>
    Array.isArray(each) && typeof each[1] === 'string' ? [each[1]] : [],
  );
  if (named.length > 0) return named.join(', ');
  const [formula] = Object.entries(value).flatMap(([widget, about]) =>
    widget.startsWith('math_') ? (textAt(objectOf(about), 'content') ?? []) : [],
  );
  return formula === undefined ? '' : `$$${formula}$$`;
}

/** The citations of a message: links for its texts, and the list itself. */
export interface Citations {
  link(part: MessagePart): MessagePart;
  readonly kept: readonly MessagePart[];
}

/** Reads the citations of a message of ChatGPT from its metadata. */
export function citationsOf(metadata: JsonObject): Citations {
  const references = listAt(metadata, 'content_references').filter(isJsonObject);
  const quoted = listAt(metadata, 'citations').filter(isJsonObject);
  const kept = ['content_references', 'citations', 'search_result_groups'].flatMap((kind) => {
    const value = metadata[kind];
    return Array.isArray(value) && value.length > 0 ? [{ type: 'data' as const, kind, value }] : [];
  });
  const link = (text: string): string => {
    let linked = text;
    for (const reference of references) {
      const matched = textAt(reference, 'matched_text') ?? '';
      if (matched.trim() !== '') linked = linked.replaceAll(matched, () => linkOf(reference));
    }
    return linkQuotes(linked.replaceAll(MARKERS, shownOf), quoted);
  };
  return {
    kept,
    link: (part) => {
      const isCited = references.length > 0 || quoted.length > 0;
      if (part.type !== 'text' || (!isCited && !/[\ue200-\ue206]/.test(part.text))) return part;
      return { ...part, text: link(part.text) };
    },
  };
}

/** The marks of sources in older answers: `【1†source】`, `【4:0†plan.pdf】`. */
const QUOTES = /【[^【】†]{1,20}†[^【】]{0,200}】/g;

/** Replaces the marks of older answers by the source that was cited there, or else in their order. */
function linkQuotes(text: string, citations: readonly JsonObject[]): string {
  let at = 0;
  return text.replaceAll(QUOTES, (mark, offset: number) => {
    const cited = citations.find((each) => numberAt(each, 'start_ix') === offset) ?? citations[at];
    at++;
    const about = objectAt(cited ?? {}, 'metadata');
    const [url, title] = [addressIn(about), textAt(about, 'title', 'name')];
    if (url !== undefined) return ` (${markdownLink(title ?? url, url)})`;
    return title === undefined ? mark : ` (${title})`;
  });
}

/** Returns the text that replaces a citation: ChatGPT's own text for it, or the links themselves. */
function linkOf(reference: JsonObject): string {
  const alt = textAt(reference, 'alt');
  if (alt !== undefined && alt !== '') return alt;
  const items = [reference, ...listAt(reference, 'items'), ...listAt(reference, 'sources')];
  const links = items.filter(isJsonObject).flatMap((item) => {
    const url = addressIn(item);
    return url === undefined
      ? []
      : [markdownLink(textAt(item, 'title', 'attribution') ?? url, url)];
  });
  const safe = listAt(reference, 'safe_urls').filter((url) => typeof url === 'string');
  const shown = links.length > 0 ? links : safe.map((url) => markdownLink(url, url));
  if (shown.length > 0) return `(${[...new Set(shown)].join(', ')})`;
  // Products and entities are named; what is only drawn has no text.
  return textAt(reference, 'name', 'title', 'prompt_text') ?? '';
}

/** Returns the address of a source; a blank one is none. */
function addressIn(source: JsonObject): string | undefined {
  const url = textAt(source, 'url');
  return url?.trim() === '' ? undefined : url;
}

/** Returns a link in Markdown. */
export function markdownLink(title: string, url: string): string {
  return `[${title.replaceAll(/[[\]\n]/g, ' ').trim()}](${url.replaceAll(')', '%29')})`;
}

/** Adds the links of a block's citations after the passages that they belong to. */
export function linkCitations(part: MessagePart, block: JsonValue): MessagePart {
  if (part.type !== 'text' || !isJsonObject(block)) return part;
  const citations = ['citations', 'annotations']
    .flatMap((name) => listAt(block, name))
    .filter(isJsonObject);
  if (citations.length === 0) return part;
  const links = citations.flatMap((citation) => {
    const details = objectAt(citation, 'details');
    const url = addressIn(citation) ?? addressIn(details);
    // APIs may have written the link into the text.
    if (url === undefined || hasLinkTo(url, part.text)) return [];
    const title = textAt(citation, 'title') ?? textAt(details, 'title') ?? url;
    const end = numberAt(citation, 'end_index') ?? part.text.length;
    return [
      {
        at: Math.min(Math.max(0, end), part.text.length),
        link: markdownLink(title, url),
      },
    ];
  });
  let { text } = part;
  for (const { at, link } of links.toSorted((a, b) => b.at - a.at)) {
    text = `${text.slice(0, at)} (${link})${text.slice(at)}`;
  }
  return { ...part, text, meta: { ...part.meta, citations } };
}

/**
 * The end of an address in brackets: `(https://a.example)`, `(https://a.example/ "A page")`. A query that only says who
 * links to it, and a place on it, name the same page.
 */
const END_OF_ADDRESS =
  /\/?(?:\?(?:(?:utm_[a-z]+|srsltid|gclid|fbclid|msclkid)=[^\s()&#]*&?)+)?(?:#(?![/!])[^\s()]*)?(?:[.,;]?\s|\)|$)/y;

/** Checks whether a text has an address in brackets: that one, and not one that only begins with it. */
function hasLinkTo(url: string, text: string): boolean {
  const start = `(${url}`;
  for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1)) {
    END_OF_ADDRESS.lastIndex = at + start.length;
    if (END_OF_ADDRESS.test(text)) return true;
  }
  return false;
}

/** Fields that list the sources which the numbers of a text name. */
const SOURCES = ['citations', 'webresults', 'searchresults', 'sources'];

/** Turns `[1]` in the texts of a message into a link to the first of the sources that it lists. */
export function linkNumbers(
  parts: readonly MessagePart[],
  fields: Spelled,
): readonly MessagePart[] {
  const sources = SOURCES.map((name) => fields.get(name)).find(Array.isArray) ?? sourcesIn(fields);
  if (sources.length === 0) return parts;
  return parts.map((part) => {
    if (part.type !== 'text') return part;
    const text = part.text.replaceAll(/\[(\d{1,3})\](?!\()/g, (whole, digits: string) => {
      const url = urlOf(sources[Number(digits) - 1]);
      return url === undefined ? whole : markdownLink(digits, url);
    });
    return { ...part, text };
  });
}

/** Returns the search results that form a block of their own in an answer. */
function sourcesIn(fields: Spelled): readonly JsonValue[] {
  const blocks = fields.get('blocks');
  if (!Array.isArray(blocks)) return [];
  return blocks.filter(isJsonObject).flatMap((block) => {
    const results = spelled(block).get('webresultblock');
    return isJsonObject(results) ? listAt(results, 'web_results') : [];
  });
}

function urlOf(source: JsonValue | undefined): string | undefined {
  const url = isJsonObject(source) ? textAt(source, 'url', 'link') : source;
  return typeof url === 'string' && /^https?:/.test(url) ? url : undefined;
}
