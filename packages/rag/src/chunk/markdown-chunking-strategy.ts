import type { Heading, Root, RootContent, Yaml, Nodes } from 'mdast';
import type { Chunk } from './chunk.ts';
import {
  resolveLimits,
  type ChunkingOptions,
  type ChunkLimits,
  type ChunkingStrategy,
  type CutControl,
  type SourceDocument,
} from './chunking-strategy.ts';
import { cutSections, type Section } from './cut-sections.ts';
import { inTurns, type Steps } from './in-turns.ts';
import { SourceText } from './source-text.ts';
import { loadBlockParser, type BlockParser, skeletonOf } from './markdown-blocks.ts';
import { Border, UnitList } from './unit-list.ts';
import { addProse, PLAIN_PROSE, type ProseBorders } from './prose.ts';
import { readFrontMatter, type FrontMatter } from './front-matter.ts';

/**
 * Cuts Markdown along its structure: headings, blocks, items and lines, sentences. YAML front matter is
 * no content: its `title` stands above the headings of all chunks, its `tags` are theirs. A document
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
    this.id = `markdown-3(${this.#limits.id})`;
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
  /** Whether the open section holds more than headings. */
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

/** The offset where the line of a block starts. */
function startOf({ source }: UnitList, { position }: Nodes): number {
  return source.startOf(position?.start.line ?? 1);
}

/** The offset where the line after a block starts. */
function endOf({ source }: UnitList, { position }: Nodes): number {
  return source.startOf((position?.end.line ?? source.lines) + 1);
}

/** Blocks inside blocks: the ends of an outer list's items are better places than those inside. */
function* addChildren(list: UnitList, blocks: readonly Nodes[], border: Border): Steps {
  for (const block of blocks) {
    // Items that equal their neighbours are no nodes, see the skeleton.
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
