import type { Chunk } from './chunk.ts';
import {
  resolveLimits,
  type ChunkingOptions,
  type ChunkLimits,
  type ChunkingStrategy,
  type CutControl,
  type SourceDocument,
} from './chunking-strategy.ts';
import { cutSections, HeadedSections, type PlacedHeading, type Section } from './cut-sections.ts';
import { headingText, inTurns, SourceText, type Steps } from './source-text.ts';

/**
 * Cuts texts in the format of Aozora Bunko: at the headings of its annotations, with title and legend
 * before and the notes on the edition after the book as sections of their own. Ruby and annotations
 * stay in the content as they are.
 */
export class AozoraChunkingStrategy implements ChunkingStrategy {
  readonly id: string;
  readonly #limits: ChunkLimits;

  constructor(options: ChunkingOptions = {}) {
    this.#limits = resolveLimits(options);
    this.id = `aozora-2(${this.#limits.id})`;
  }

  chunk(document: SourceDocument, { signal }: CutControl = {}): Promise<readonly Chunk[]> {
    return inTurns(this.#cut(document), signal);
  }

  *#cut(document: SourceDocument): Steps<readonly Chunk[]> {
    const source = new SourceText(document.text);
    const sections = yield* aozoraSections(source, this.#limits);
    return yield* cutSections(document, source, sections, this.#limits);
  }
}

/** The heading of the notes on the edition. */
const EDITION = '底本';

/** The sections of an Aozora Bunko text: title and legend, the parts of the book, the edition. */
function* aozoraSections(source: SourceText, limits: ChunkLimits): Steps<readonly Section[]> {
  const { title, bodyLine, footerLine } = yield* aozoraFrame(source);
  const parts = new HeadedSections(source, limits, title === '' ? [] : [title]);
  yield* parts.close(bodyLine, []);
  for (const heading of headings(source, bodyLine, footerLine)) {
    yield;
    if (heading !== undefined) yield* parts.open(heading);
  }
  yield* parts.close(footerLine, parts.path);
  yield* parts.close(source.lines + 1, [EDITION]);
  return parts.sections;
}

/** Returns the headings among some lines; nothing for a line without one. */
function* headings(
  source: SourceText,
  first: number,
  end: number,
): Generator<PlacedHeading | undefined> {
  for (let line = first; line < end; line += 1) {
    const text = source.text.slice(source.startOf(line), source.startOf(line + 1));
    if (!text.includes('見出し')) {
      yield undefined;
      continue;
    }
    const block = BLOCK_START.exec(text);
    if (block === null) {
      const heading = headingOfLine(text);
      if (heading !== undefined) yield { ...heading, line, lastLine: line };
      continue;
    }
    const lastLine = blockEnd(source, line, end);
    if (lastLine === undefined) continue;
    const lines = source.text.slice(source.startOf(line), source.startOf(lastLine + 1));
    const depth = depthOf(block.groups?.['size']);
    yield { depth, text: withoutMarkup(lines), isRunIn: false, line, lastLine };
    line = lastLine;
  }
}

const LONGEST_BLOCK = 10;

function blockEnd(source: SourceText, first: number, end: number): number | undefined {
  for (let line = first; line < Math.min(end, first + LONGEST_BLOCK); line += 1) {
    const text = source.text.slice(source.startOf(line), source.startOf(line + 1));
    if (BLOCK_END.test(text)) return line;
  }
  return undefined;
}

/** A heading of an Aozora Bunko text. */
interface AozoraHeading {
  /** 1 for 大見出し, 2 for 中見出し, 3 for 小見出し. */
  readonly depth: number;
  readonly text: string;
  /** True if it is the beginning of a line that continues with ordinary text (同行見出し, 窓見出し). */
  readonly isRunIn: boolean;
}

const BEHIND = /［＃「(?<text>[^\r\n］]{0,100}?)」は(?<runIn>同行|窓)?(?<size>[大中小])見出し］/u;
const AROUND =
  /［＃(?<runIn>同行|窓)?(?<size>[大中小])見出し］(?<text>[^\r\n]{0,200}?)［＃(?:同行|窓)?\k<size>見出し終わり］/u;
const BLOCK_START: RegExp = /［＃ここから(?<size>[大中小])見出し］/u;
const BLOCK_END: RegExp = /［＃ここで[大中小]見出し終わり］/u;

/** Returns the heading that a line holds. */
function headingOfLine(line: string): AozoraHeading | undefined {
  const groups = (BEHIND.exec(line) ?? AROUND.exec(line))?.groups;
  if (groups === undefined) return undefined;
  return {
    depth: depthOf(groups['size']),
    text: withoutMarkup(groups['text'] ?? ''),
    isRunIn: groups['runIn'] !== undefined,
  };
}

function depthOf(size: string | undefined): number {
  return size === '大' ? 1 : size === '中' ? 2 : 3;
}

/** Markup, which is not part of a text that is read. Longer ones are not closed. */
const MARKUP = /［＃[^］]{0,200}］|《[^》]{0,200}》|｜/gu;

/** Returns the text as a reader sees it, without ruby and annotations; of a very long one, its beginning. */
function withoutMarkup(text: string): string {
  return headingText(text.replaceAll(MARKUP, '').replaceAll(/\s\s*/gu, ' ').trim());
}

/** The text around that of a book in an Aozora Bunko file. */
interface AozoraFrame {
  readonly title: string;
  /** The first line of the book itself. */
  readonly bodyLine: number;
  /** The first line of the notes on the edition, or the line after the last. */
  readonly footerLine: number;
}

const RULE = /^-{20,}\s*$/u;
const FOOTER = /^底本[：:]/u;
/** The legend of signs is among the first lines; title and authors are fewer. */
const HEADER_LINES = 60;
const MOST_TITLE_LINES = 6;

/** Finds title, legend and edition of a file. */
function* aozoraFrame(source: SourceText): Steps<AozoraFrame> {
  const footerLine = yield* findFooter(source);
  const rules: number[] = [];
  for (let line = 1; line <= Math.min(HEADER_LINES, footerLine - 1); line += 1) {
    if (RULE.test(lineAt(source, line))) rules.push(line);
  }
  const end = rules[1] ?? titleEnd(source, footerLine);
  const title = end > 1 ? headingText(lineAt(source, 1).trim()) : '';
  return { title, bodyLine: Math.max(1, end + 1), footerLine };
}

/** Checks whether a text has marks that only Aozora Bunko files have. */
export function isAozora(text: string): boolean {
  return (
    /［＃[^\r\n］]{0,80}(?:見出し|字下げ|傍点|改ページ|改丁)[^\r\n］]{0,40}］/u.test(text) ||
    text.slice(0, 5000).includes('【テキスト中に現れる記号について】') ||
    (/^底本[：:]「/mu.test(text.slice(-5000)) && text.includes('青空文庫'))
  );
}

function* findFooter(source: SourceText): Steps<number> {
  for (let line = source.lines; line > 0; line -= 1) {
    yield;
    if (FOOTER.test(lineAt(source, line))) return line;
  }
  return source.lines + 1;
}

/** Returns the last of the lines with title and authors in a file without a legend; 0 if it has none. */
function titleEnd(source: SourceText, footerLine: number): number {
  if (footerLine > source.lines) return 0;
  let line = 1;
  while (line < footerLine && lineAt(source, line).trim() !== '') line += 1;
  return line > 2 && line - 1 <= MOST_TITLE_LINES ? line - 1 : 0;
}

function lineAt(source: SourceText, line: number): string {
  return source.text.slice(source.startOf(line), source.startOf(line + 1));
}
