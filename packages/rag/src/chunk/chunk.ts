import { createHash } from 'node:crypto';
import { having } from '@vizprompt/providers/config/internal';
import type { Analyzer, Word } from '../analyze/analyzer.ts';
import { checkArgument } from '../check-options.ts';

/** Where a chunk is in its document: what changes when it moves. */
export interface ChunkPosition {
  /** The line of the first character that is its own (not overlap), from 1. */
  readonly startLine: number;
  /**
   * Where this character is in its line, from 1, in UTF-16 code units, those of a byte order mark left out. Default:
   * not known.
   */
  readonly startColumn?: number | undefined;
  /** The line of the last character. */
  readonly endLine: number;
  /** Its place among the chunks of the document, from 0. */
  readonly chunkIndex: number;
}

/** The fields of a {@link Chunk}. */
export interface ChunkFields extends ChunkPosition {
  /** The heading it is under, or the title of the document. May be empty. */
  readonly title: string;
  /**
   * A verbatim piece of the document, from the first character of its own text to the last; where
   * `overlap` is given, preceded by that many characters that repeat the end of the chunk before.
   */
  readonly content: string;
  /** The path of the document, relative to its project, with `/`. */
  readonly filePath: string;
  /** The project that the document belongs to. */
  readonly novelId: string;
  readonly tags?: readonly string[];
  /**
   * The headings above it, outermost first, the own one last. A strategy cuts very long ones off after
   * 200 characters. Default: the title alone.
   */
  readonly headingPath?: readonly string[];
  /** How many UTF-16 code units at the beginning of `content` repeat the chunk before. Default: 0. */
  readonly overlap?: number;
}

const FIELDS = having('{ title, content, filePath, novelId, … }', 'title', 'content', 'filePath');

/**
 * A piece of a document: what is indexed, ranked and cited. Its id does not depend on where in the
 * file it is, so text that only moved keeps its ids.
 */
export class Chunk implements ChunkFields {
  readonly title: string;
  readonly content: string;
  readonly filePath: string;
  readonly startLine: number;
  readonly startColumn: number | undefined;
  readonly endLine: number;
  readonly chunkIndex: number;
  readonly novelId: string;
  readonly tags: readonly string[];
  readonly headingPath: readonly string[];
  readonly overlap: number;
  /**
   * Which one it is among chunks of the same document with equal heading path, title and content,
   * from 0.
   */
  readonly ordinal: number;
  #hash: string | undefined;

  constructor(fields: ChunkFields, ordinal = 0) {
    checkArgument('the fields of a Chunk', fields, FIELDS);
    this.title = fields.title;
    this.content = fields.content;
    this.filePath = fields.filePath;
    this.startLine = fields.startLine;
    this.startColumn = fields.startColumn;
    this.endLine = fields.endLine;
    this.chunkIndex = fields.chunkIndex;
    this.novelId = fields.novelId;
    this.tags = fields.tags ?? [];
    this.headingPath = fields.headingPath ?? (fields.title === '' ? [] : [fields.title]);
    this.overlap = fields.overlap ?? 0;
    this.ordinal = ordinal;
  }

  /** The content without what repeats the chunk before. */
  get own(): string {
    return this.content.slice(this.overlap);
  }

  /**
   * Where the last character ends in `endLine`: the column of its last UTF-16 code unit, from 1. Absent if `startColumn`
   * is.
   */
  get endColumn(): number | undefined {
    if (this.startColumn === undefined) return undefined;
    const { own } = this;
    const line = Math.max(own.lastIndexOf('\n'), own.lastIndexOf('\r')) + 1;
    const before = line === 0 ? this.startColumn - 1 : 0;
    return Math.max(1, before + own.length - line);
  }

  /** Project, file and headings: `my-novel:contents/01.md#第一章/出会い`. */
  get baseId(): string {
    return `${this.novelId}:${this.filePath}#${this.headingPath.join('/')}`;
  }

  /** The base id with the hash, unique in an index: `…#第一章/出会い@1a2b3c4d`, `…@1a2b3c4d~1`. */
  get id(): string {
    return `${this.baseId}@${this.hash}${this.ordinal === 0 ? '' : `~${this.ordinal}`}`;
  }

  /** The first 8 hexadecimal digits of the MD5 of title and content. */
  get hash(): string {
    this.#hash ??= createHash('md5')
      .update(this.title + this.content)
      .digest('hex')
      .slice(0, 8);
    return this.#hash;
  }
}

/** Returns the position of a chunk alone. */
export function positionOf(chunk: ChunkPosition): ChunkPosition {
  const { startLine, startColumn, endLine, chunkIndex } = chunk;
  return { startLine, startColumn, endLine, chunkIndex };
}

/** Checks whether two chunks are at the same place of their documents. */
export function isSamePosition(a: ChunkPosition, b: ChunkPosition): boolean {
  return (
    a.startLine === b.startLine &&
    a.startColumn === b.startColumn &&
    a.endLine === b.endLine &&
    a.chunkIndex === b.chunkIndex
  );
}

/** The parts of an analyzer that indexing needs. */
export type WordFinder = Pick<Analyzer, 'words' | 'readings'>;

/** A chunk with its words. */
export interface AnalyzedChunk {
  readonly chunk: Pick<Chunk, 'title' | 'content' | 'headingPath' | 'tags' | 'overlap' | 'ordinal'>;
  readonly words: readonly Word[];
  /** The words of its title and headings. */
  readonly titleWords: readonly Word[];
}

/** How many titles are remembered. */
const REMEMBERED = 1000;

/** Finds the words of chunks; those of titles, which many chunks share, once. */
export function chunkAnalyzer(
  analyzer: Pick<WordFinder, 'words'>,
): (chunk: Chunk) => AnalyzedChunk {
  const titles = new Map<string, readonly Word[]>();

  function titleWords(chunk: Chunk): readonly Word[] {
    const text = headingsOf(chunk).join('\n');
    let words = titles.get(text);
    if (!words) {
      if (titles.size >= REMEMBERED) titles.clear();
      words = analyzer.words(text);
      titles.set(text, words);
    }
    return words;
  }

  return (chunk) => {
    const words = ownWords(analyzer.words(chunk.content), chunk.overlap);
    return { chunk, words, titleWords: titleWords(chunk) };
  };
}

/** The overlap with the chunk before is not searched: it would be found twice, and cited in the wrong place. */
function ownWords(words: readonly Word[], overlap: number): readonly Word[] {
  if (overlap === 0) return words;
  return words.map((word) => {
    return word.isContent && word.start < overlap ? { ...word, isContent: false } : word;
  });
}

/** Returns the headings of a chunk, and its title if it is none of them. */
export function headingsOf({
  title,
  headingPath,
}: Pick<Chunk, 'title' | 'headingPath'>): readonly string[] {
  return headingPath.includes(title) || title === '' ? headingPath : [...headingPath, title];
}

/** A content word of a chunk: its place, and the terms that find it. */
interface TermWord {
  readonly start: number;
  readonly end: number;
  /** The basic form, then further terms; each once. */
  readonly terms: readonly string[];
}

/** The terms that find a chunk. */
export interface ChunkTerms {
  readonly words: readonly TermWord[];
  /** The terms of the words of title and headings. */
  readonly titles: readonly string[];
}

/** Returns the terms of a chunk in order, as often as it has them. */
export function termsOf({ words, titleWords }: AnalyzedChunk): ChunkTerms {
  const found: TermWord[] = [];
  for (const word of words) {
    if (!word.isContent) continue;
    const { start, end } = word;
    found.push({ start, end, terms: termsOfWord(word) });
  }
  const titles = titleWords.filter(({ isContent }) => isContent);
  return { words: found, titles: titles.flatMap(termsOfWord) };
}

/** Returns the terms that find a word: its basic form, then others; each once. */
export function termsOfWord({ basic, extra }: Word): readonly string[] {
  if (!extra) return [basic];
  const [first = basic] = extra;
  if (extra.length < 2) return first === basic ? [basic] : [basic, first];
  return [...new Set([basic, ...extra])];
}

/** Remembers the terms of chunks, so that they are analyzed once and outside of transactions. */
export class TermMemory {
  readonly #analyze: ReturnType<typeof chunkAnalyzer>;
  readonly #known = new Map<Chunk, ChunkTerms>();

  constructor(analyzer: Analyzer) {
    this.#analyze = chunkAnalyzer(analyzer);
  }

  termsOf(chunk: Chunk): ChunkTerms {
    let terms = this.#known.get(chunk);
    terms ??= termsOf(this.#analyze(chunk));
    this.#known.set(chunk, terms);
    return terms;
  }
}

/** Before terms of titles and headings. No term of an analyzer begins so. */
export const TITLE_PREFIX = '\u0001';

/** Returns a term without the mark of titles, if it has it. */
export function bareTerm(term: string): string {
  return term.startsWith(TITLE_PREFIX) ? term.slice(TITLE_PREFIX.length) : term;
}
