/** Elements of a node file, each with at most so many attributes. A conversation of a thousand turns has some thousand. */
const MAX_TAGS = 100_000;
const MAX_ATTRIBUTES = 100;
/** Characters outside of CDATA that the parser takes one by one, some 70 bytes of memory for each. */
const MAX_LOOSE = 4_000_000;
/** Runs of text from this length on become CDATA, which the parser takes as a whole. */
const MIN_RUN = 200;

const QUOTE_OR_END = /["'>]/g;
const SKIPPED: readonly (readonly [start: string, end: string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
];

/** A document that an XML parser can take, or why it must not. */
export type GuardedXml =
  | { readonly xml: string }
  | { readonly problem: string; readonly at: number };

/**
 * Scans an XML document once, before a parser does: refuses what would take it more than linear time or memory, and
 * makes CDATA of long texts. What is not well-formed is left for the parser to report.
 */
export function guardXml(xml: string): GuardedXml {
  const pieces: string[] = [];
  let tags = 0;
  let loose = 0;
  let at = 0;
  while (at < xml.length) {
    const open = xml.indexOf('<', at);
    const text = xml.slice(at, open < 0 ? xml.length : open);
    // Text outside of the root is not allowed, and the parser says so.
    const packed = tags > 0 && open >= 0 ? pack(text) : { text, loose: text.length };
    pieces.push(packed.text);
    loose += packed.loose;
    if (loose > MAX_LOOSE) {
      return { problem: `too large: more than ${MAX_LOOSE} characters are outside of CDATA`, at };
    }
    if (open < 0) break;
    const end = endOfMarkup(xml, open);
    if (end === undefined) {
      pieces.push(xml.slice(open));
      break;
    }
    if (end.isTag) tags++;
    if (tags > MAX_TAGS) return { problem: `too large: more than ${MAX_TAGS} tags`, at: open };
    if (end.attributes > MAX_ATTRIBUTES) {
      return { problem: `an element has more than ${MAX_ATTRIBUTES} attributes`, at: open };
    }
    pieces.push(xml.slice(open, end.at));
    at = end.at;
  }
  return { xml: pieces.join('') };
}

interface MarkupEnd {
  readonly at: number;
  readonly isTag: boolean;
  readonly attributes: number;
}

function endOfMarkup(xml: string, open: number): MarkupEnd | undefined {
  for (const [start, end] of SKIPPED) {
    if (!xml.startsWith(start, open)) continue;
    const found = xml.indexOf(end, open + start.length);
    return found < 0 ? undefined : { at: found + end.length, isTag: false, attributes: 0 };
  }
  let attributes = 0;
  QUOTE_OR_END.lastIndex = open + 1;
  for (let match = QUOTE_OR_END.exec(xml); match; match = QUOTE_OR_END.exec(xml)) {
    if (match[0] === '>') return { at: match.index + 1, isTag: true, attributes };
    const close = xml.indexOf(match[0], match.index + 1);
    if (close < 0) return undefined;
    attributes++;
    QUOTE_OR_END.lastIndex = close + 1;
  }
  return undefined;
}

/** Makes CDATA of the runs between entities that are long enough. */
function pack(text: string): { readonly text: string; readonly loose: number } {
  if (text.length < MIN_RUN) return { text, loose: text.length };
  const pieces: string[] = [];
  let loose = 0;
  let at = 0;
  while (at < text.length) {
    const entity = text.indexOf('&', at);
    const end = entity < 0 ? text.length : entity;
    const run = text.slice(at, end);
    const isLong = run.length >= MIN_RUN && !run.includes(']]>');
    pieces.push(isLong ? `<![CDATA[${run}]]>` : run);
    if (!isLong) loose += run.length;
    if (entity < 0) break;
    const semicolon = text.indexOf(';', entity);
    const next = semicolon < 0 || semicolon - entity > 20 ? entity + 1 : semicolon + 1;
    pieces.push(text.slice(entity, next));
    loose += next - entity;
    at = next;
  }
  return { text: pieces.join(''), loose };
}
