import type { Heading, Nodes, Root, RootContent, Yaml } from 'mdast';
import type { Options } from 'mdast-util-from-markdown';
import type { Chunk } from './chunk.ts';
import {
  type ChunkLimits,
  type ChunkingOptions,
  type ChunkingStrategy,
  type CutControl,
  type SourceDocument,
  resolveLimits,
} from './chunking-strategy.ts';
import { type Section, cutSections } from './cut-sections.ts';
import { type FrontMatter, readFrontMatter } from './front-matter.ts';
import {
  addProse,
  Border,
  firstCharacters,
  headingText,
  inTurns,
  PLAIN_PROSE,
  type ProseBorders,
  SourceText,
  type Steps,
  UnitList,
} from './source-text.ts';

/**
 * Cuts Markdown along its structure: headings, blocks, items and lines, sentences. YAML front matter is
 * no content: its `title` comes before the headings of all chunks, its `tags` are theirs. A document
 * of nothing else is one chunk.
 *
 * @example
 * ```ts
 * const strategy = new MarkdownChunkingStrategy({ maxTokens: 300, overlap: 0 });
 * const chunks = await strategy.chunk({ novelId: 'neko', filePath: 'settings/jinbutsu.md', text });
 * ```
 */
export class MarkdownChunkingStrategy implements ChunkingStrategy {
  readonly id: string;
  readonly #limits: ChunkLimits;

  constructor(options: ChunkingOptions = {}) {
    this.#limits = resolveLimits(options);
    this.id = `markdown-4(${this.#limits.id})`;
  }

  async chunk(document: SourceDocument, { signal }: CutControl = {}): Promise<readonly Chunk[]> {
    const parser = await loadBlockParser();
    const source = new SourceText(document.text);
    const { sections, tags } = await markdownSections(source, parser, this.#limits, signal);
    return inTurns(cutSections(document, source, sections, this.#limits, tags), signal);
  }
}

/** The sections of a Markdown document, and what its front matter says. */
interface MarkdownSections {
  readonly sections: readonly Section[];
  readonly tags: readonly string[];
}

/**
 * Headings open sections. A heading without text of its own goes to the section after it, if that one
 * is below it. Front matter is in no section, unless the document holds nothing else.
 */
async function markdownSections(
  source: SourceText,
  parser: BlockParser,
  limits: ChunkLimits,
  signal: AbortSignal | undefined,
): Promise<MarkdownSections> {
  const root = parser.blocks(await inTurns(skeletonOf(source), signal));
  const builder = new SectionBuilder(source, parser, limits);
  const matter = await frontMatterOf(source, root);
  return inTurns(builder.build(root, matter), signal);
}

async function frontMatterOf(source: SourceText, root: Root): Promise<FrontMatter | undefined> {
  const [block] = root.children;
  if (block?.type !== 'yaml' || block.position === undefined) return undefined;
  const { start, end } = block.position;
  return readFrontMatter(
    source.text.slice(source.startOf(start.line + 1), source.startOf(end.line)),
  );
}

class SectionBuilder {
  readonly #source: SourceText;
  readonly #parser: BlockParser;
  readonly #limits: ChunkLimits;
  readonly #sections: Section[] = [];
  readonly #headings: { readonly depth: number; readonly text: string }[] = [];
  #list: UnitList;
  /** True if the open section holds more than headings. */
  #hasBody = false;
  #title = '';
  #tags: readonly string[] = [];

  constructor(source: SourceText, parser: BlockParser, limits: ChunkLimits) {
    this.#source = source;
    this.#parser = parser;
    this.#limits = limits;
    this.#list = new UnitList(source, limits, source.from);
  }

  *build(root: Root, matter: FrontMatter | undefined): Steps<MarkdownSections> {
    for (const block of root.children) {
      if (block.type === 'heading') yield* this.#addHeading(block);
      else if (block.type === 'yaml' && matter) yield* this.#addFrontMatter(block, matter);
      else yield* this.#addBody(block);
    }
    yield* this.#addRest(this.#source.text.length);
    this.#close();
    return { sections: this.#sections, tags: this.#tags };
  }

  *#addHeading(heading: Heading): Steps {
    const from = startOf(this.#list, heading);
    yield* this.#addRest(from);
    const above = this.#headings.at(-1);
    if (this.#hasBody || (above !== undefined && heading.depth <= above.depth)) this.#close();
    while ((this.#headings.at(-1)?.depth ?? 0) >= heading.depth) this.#headings.pop();
    const to = endOf(this.#list, heading);
    this.#headings.push({
      depth: heading.depth,
      text: this.#parser.plainText(this.#source.text.slice(from, to)),
    });
    yield* this.#addGlued(to);
  }

  *#addFrontMatter(block: Yaml, { title = '', tags }: FrontMatter): Steps {
    const to = endOf(this.#list, block);
    this.#title = title;
    this.#tags = tags;
    if (this.#source.text.slice(to).trim() === '') yield* this.#addGlued(to);
    else this.#list = new UnitList(this.#source, this.#limits, to);
  }

  *#addBody(block: RootContent): Steps {
    yield* addBlock(this.#list, block);
    this.#hasBody = true;
  }

  *#addGlued(to: number): Steps {
    yield* addProse(this.#list, to, { ...PLAIN_PROSE, scenes: false });
    this.#list.set(Border.glue);
  }

  /** Blank lines, and what the parser made no block of. */
  *#addRest(to: number): Steps {
    yield* addProse(this.#list, to, PLAIN_PROSE);
  }

  #close(): void {
    const end = this.#list.end;
    const texts = this.#headings.map(({ text }) => text).filter((text) => text !== '');
    const isRepeated = this.#title === '' || this.#title === texts[0];
    const headingPath = isRepeated ? texts : [this.#title, ...texts];
    this.#sections.push({ headingPath, list: this.#list });
    this.#list = new UnitList(this.#source, this.#limits, end);
    this.#hasBody = false;
  }
}

const PROSE: ProseBorders = { ...PLAIN_PROSE, blanks: Border.block };
const INNER_PROSE: ProseBorders = {
  line: Border.inner,
  blank: Border.inner,
  blanks: Border.inner,
  scenes: false,
};

/** Adds a block of a section, with the blank lines before it. */
function* addBlock(list: UnitList, block: Nodes): Steps {
  yield* addProse(list, startOf(list, block), PROSE);
  switch (block.type) {
    case 'list':
    case 'blockquote':
      yield* addChildren(list, block.children, Border.line);
      break;
    case 'code':
    case 'table':
      yield* addWhole(list, endOf(list, block));
      break;
    case 'thematicBreak':
      list.set(Border.glue);
      yield* list.add(endOf(list, block), Border.scene);
      break;
    default:
      yield* addProse(list, endOf(list, block), PROSE);
  }
  list.raise(Border.block);
}

/** Returns the offset where the line of a block starts. */
function startOf({ source }: UnitList, { position }: Nodes): number {
  return source.startOf(position?.start.line ?? 1);
}

/** Returns the offset where the line after a block starts. */
function endOf({ source }: UnitList, { position }: Nodes): number {
  return source.startOf((position?.end.line ?? source.lines) + 1);
}

/** Blocks inside blocks: the ends of an outer list's items are better places than those inside. */
function* addChildren(list: UnitList, blocks: readonly Nodes[], border: Border): Steps {
  for (const block of blocks) {
    // Items that equal their neighbours are not nodes, see the skeleton.
    const isItem = block.type === 'listItem';
    const between = isItem ? { ...INNER_PROSE, line: border, blank: border } : INNER_PROSE;
    yield* addProse(list, startOf(list, block), between);
    if (block.type === 'list' || block.type === 'blockquote' || block.type === 'listItem') {
      yield* addChildren(list, block.children, Border.inner);
    } else if (block.type === 'code' || block.type === 'table')
      yield* addWhole(list, endOf(list, block));
    // Containers may hold lines of their own: the empty item of a list.
    yield* addProse(list, endOf(list, block), INNER_PROSE);
    list.raise(border);
  }
}

function* addWhole(list: UnitList, to: number): Steps {
  if (to <= list.end || list.addWhole(to, Border.inner)) return;
  const { source } = list;
  for (let line = source.lineOf(list.end); list.end < to; line += 1) {
    yield* list.add(source.startOf(line + 1), Border.inner);
    yield;
  }
}

/** Reads the blocks of Markdown, and the plain text of its headings. */
export interface BlockParser {
  /** Returns the blocks with the lines of the document that the skeleton was made of. */
  blocks(skeleton: Skeleton): Root;
  /** Returns the text of a heading without its markup; of a long one, its beginning. */
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

/** This much of a heading is read: the time of the parser grows with the square of its length. */
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
      return headingText(text.replaceAll(/\s\s*/gu, ' ').trim());
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

/** A document without the text that cannot affect its structure. */
interface Skeleton {
  readonly text: string;
  /** For each line of the skeleton the line of the document that it represents, from 1. */
  readonly lines: readonly number[];
}

interface SkeletonLine {
  readonly text: string;
  readonly line: number;
  /** True if more lines like it, directly after it, change nothing. */
  readonly isRepeatable: boolean;
}

/** Indents and the markers of quotes, lists and rules. */
const PREFIX = /^[ \t>*+\-\d.)_]*/;
/** Characters that can open, end or divide a block. */
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
/** Maximum number of further lines of a block; the last one then represents the rest. */
const MOST_LINES = 1000;
/** Placeholder for text. */
const TEXT = 'x';

/**
 * Returns the same blocks with almost no text: one letter represents text that cannot affect the structure, and of
 * equal lines or paragraphs in a row the first and the last represent all. The parser works character by character, so
 * this makes it fast on novels and notes. Very long lines and prefixes are truncated, and so are quotes and lists
 * inside 20 others and blocks of more than 1,000 remaining lines: the time of the parser grows faster than their
 * length.
 */
export function* skeletonOf(source: SourceText): Steps<Skeleton> {
  const lines: SkeletonLine[] = [];
  // The target and the title of a link's definition may be on the lines after it.
  let isDefinition = false;
  let further = 0;
  let last: SkeletonLine | undefined;
  for (let line = 1; line <= source.lines; line += 1) {
    yield;
    const from = source.startOf(line);
    const to = Math.min(source.startOf(line + 1), from + LONGEST_LINE);
    const body = source.text.slice(from, to).replace(/^[ \t]*[\r\n][\r\n]*$|[\r\n][\r\n]*$/, '');
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

/** Returns a line with a letter for its text, or for each of its cells. */
function shortened(prefix: string, rest: string): string {
  const marker = shallow(prefix.slice(0, LONGEST_PREFIX)).replace(
    ITEM_NUMBER,
    (_, indent: string, number: string) => indent + '2'.repeat(number.length),
  );
  return marker + (rest.includes('|') ? rest.trimEnd().replaceAll(/[^|][^|]*/g, TEXT) : TEXT);
}

/** Returns a prefix without markers that are nested too deep. */
function shallow(prefix: string): string {
  return DEEPEST.exec(prefix)?.[0] ?? prefix;
}

/**
 * Counts the lines before the last one that only repeat earlier lines: of blank lines all but one, of `L L L L` the
 * third, of `L blank L blank L` the second with its blank line. (The second of `L L L` may differ from the first, where
 * that is the last line of a quote.)
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
