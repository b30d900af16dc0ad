import type { Nodes, Root } from 'mdast';
import type { Options } from 'mdast-util-from-markdown';
import type { Steps } from './in-turns.ts';
import { firstCharacters, headingText, type SourceText } from './source-text.ts';

/** Reads the blocks of Markdown, and the plain text of its headings. */
export interface BlockParser {
  /** The blocks with the lines of the document that the skeleton was made of. */
  blocks(skeleton: Skeleton): Root;
  /** The text of a heading without its markup; of a long one, its beginning. */
  plainText(markdown: string): string;
}

/** The constructs inside paragraphs and headings. */
const INLINE = [
  'attention',
  'autolink',
  'characterEscape',
  'characterReference',
  'codeText',
  'hardBreakEscape',
  'htmlText',
  'labelEnd',
  'labelStartImage',
  'labelStartLink',
];

/** A heading without markup, which needs no parser. */
const PLAIN_HEADING = /^#{1,6}[ \t]+(?<text>[^!#&*<>[\\\]_`~\r\n]*)\s*$/u;

/** So much of a heading is read: the time of the parser grows with the square of its length. */
const READ_OF_HEADING = 1000;

let parser: Promise<BlockParser> | undefined;

/** Loads the parser on first use, so that programs which only search never do. */
export function loadBlockParser(): Promise<BlockParser> {
  parser ??= load();
  return parser;
}

async function load(): Promise<BlockParser> {
  const [{ fromMarkdown }, { gfmTable }, { gfmTableFromMarkdown }, front, frontUtil] =
    await Promise.all([
      import('mdast-util-from-markdown'),
      import('micromark-extension-gfm-table'),
      import('mdast-util-gfm-table'),
      import('micromark-extension-frontmatter'),
      import('mdast-util-frontmatter'),
    ]);
  const options: Options = {
    extensions: [gfmTable(), front.frontmatter(['yaml']), { disable: { null: INLINE } }],
    mdastExtensions: [gfmTableFromMarkdown(), frontUtil.frontmatterFromMarkdown(['yaml'])],
  };
  return {
    blocks(skeleton) {
      const root = fromMarkdown(skeleton.text, options);
      moveLines(root, skeleton.lines);
      return root;
    },
    plainText(markdown) {
      const heading = firstCharacters(markdown, READ_OF_HEADING);
      const plain = PLAIN_HEADING.exec(heading)?.groups?.['text'];
      const text = plain ?? textOf(fromMarkdown(heading));
      return headingText(text.replaceAll(/\s+/gu, ' ').trim());
    },
  };
}

function moveLines(node: Nodes, lines: readonly number[]): void {
  if (node.position !== undefined) {
    const { start, end } = node.position;
    start.line = lines[start.line - 1] ?? start.line;
    end.line = lines[end.line - 1] ?? end.line;
  }
  if ('children' in node) for (const child of node.children) moveLines(child, lines);
}

function textOf(node: Nodes): string {
  if ('children' in node) return node.children.map(textOf).join('');
  if (node.type === 'html') return '';
  if (node.type === 'break') return ' ';
  if (node.type === 'image') return node.alt ?? '';
  return 'value' in node ? node.value : '';
}

/** What is left of a document when text that cannot matter to its structure is taken away. */
interface Skeleton {
  readonly text: string;
  /** The line of the document that each line of the skeleton stands for, from 1. */
  readonly lines: readonly number[];
}

interface SkeletonLine {
  readonly text: string;
  readonly line: number;
  /** Whether more lines like it, directly behind it, change nothing. */
  readonly isRepeatable: boolean;
}

/** Indents and the markers of quotes, lists and rules. */
const PREFIX = /^[ \t>*+\-\d.)_]*/;
/** What can open, end or divide a block. */
const STRUCTURAL = /^[#:=`~[<]|[>\\]|^[-|: \t]*$/;
/** The number of an item; only 1 may follow a paragraph directly. */
const ITEM_NUMBER = /^(?<indent>[ \t>]*)(?!0*1[.)])(?<number>\d{1,9})(?=[.)])/;
const LONGEST_PREFIX = 200;
const LONGEST_LINE = 2000;
/** Up to the last mark that may open a quote or list inside others; rules stay rules. */
const DEEPEST = /^(?:[^>*+\-.)]*[>*+\-.)]){20}/;
/** A heading, fence, rule or item, which is no further line of a paragraph. */
const OPENING =
  /^[ \t]*(?:#{1,6}(?:[ \t]|$)|`{3}|~{3}|(?<rule>[-*_])(?:[ \t]*\k<rule>){2,}[ \t]*$|[-+*](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$))/;
/** So many further lines may a block have; then the last one stands for all that are left. */
const MOST_LINES = 1000;
/** Stands for text. */
const TEXT = 'x';

/**
 * The same blocks with next to no text: one letter stands for text that cannot matter, and of equal
 * lines or paragraphs in a row the first and the last stand for all. The parser works character by
 * character, and this is what makes it fast on novels and notes. Very long lines and prefixes are cut
 * off, and so are quotes and lists inside 20 others and blocks of more than 1,000 lines that are left:
 * the time of the parser grows faster than their length.
 */
export function* skeletonOf(source: SourceText): Steps<Skeleton> {
  const lines: SkeletonLine[] = [];
  // The target and the title of a link's definition may stand on the lines after it.
  let isDefinition = false;
  let further = 0;
  let last: SkeletonLine | undefined;
  for (let line = 1; line <= source.lines; line += 1) {
    yield;
    const from = source.startOf(line);
    const to = Math.min(source.startOf(line + 1), from + LONGEST_LINE);
    const body = source.text.slice(from, to).replace(/^[ \t]*[\r\n]+$|[\r\n]+$/, '');
    const prefix = PREFIX.exec(body)?.[0] ?? '';
    const rest = body.slice(prefix.length);
    isDefinition = rest.startsWith('[') || (isDefinition && rest !== '');
    const isFirst = lines.at(-1)?.text === '' && !/^[ \t]/.test(body);
    if (isFirst || OPENING.test(body)) further = 0;
    else if (body !== '') further += 1;
    if (further > MOST_LINES && body !== '') {
      if (lines.at(-1) !== last) continue;
      lines.pop();
    }
    const isText = !isDefinition && !STRUCTURAL.test(rest);
    if (isText || prefix.length > LONGEST_PREFIX) {
      lines.push({ text: shortened(prefix, rest), line, isRepeatable: true });
    } else {
      lines.push({ text: shallow(prefix) + rest, line, isRepeatable: body === '' });
    }
    if (further >= MOST_LINES && body !== '') last = lines.at(-1);
    const repeated = repetitionIn(lines);
    const left = repeated > 0 ? lines.splice(-1 - repeated, repeated) : [];
    further -= left.filter(({ text }) => text !== '').length;
  }
  return { text: lines.map(({ text }) => text).join('\n'), lines: lines.map(({ line }) => line) };
}

/** A line with a letter for its text, or for each of its cells. */
function shortened(prefix: string, rest: string): string {
  const marker = shallow(prefix.slice(0, LONGEST_PREFIX)).replace(
    ITEM_NUMBER,
    (_, indent: string, number: string) => indent + '2'.repeat(number.length),
  );
  return marker + (rest.includes('|') ? rest.trimEnd().replaceAll(/[^|]+/g, TEXT) : TEXT);
}

/** A prefix without what stands too deep. */
function shallow(prefix: string): string {
  return DEEPEST.exec(prefix)?.[0] ?? prefix;
}

/**
 * How many lines before the last one only repeat what is before them: of blank lines all but one, of
 * `L L L L` the third, of `L blank L blank L` the second with its blank line. (The second of `L L L`
 * may differ from the first, where that is the last line of a quote.)
 */
function repetitionIn(lines: readonly SkeletonLine[]): number {
  const text = (back: number) => lines.at(-back)?.text;
  const { text: last, isRepeatable } = lines.at(-1) ?? {};
  if (last === undefined || isRepeatable !== true) return 0;
  if (text(2) === last) return last === '' || (text(3) === last && text(4) === last) ? 1 : 0;
  if (text(2) !== '') return 0;
  let group = 0;
  while (text(3 + group) === last) group += 1;
  const isRepeated = group > 0 && text(3 + group) === '' && text(4 + group) === last;
  return isRepeated ? group + 1 : 0;
}
