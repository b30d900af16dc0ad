import type { Chunk } from '../chunk/chunk.ts';
import type { Analyzer, Word } from './analyzer.ts';

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
