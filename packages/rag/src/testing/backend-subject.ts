import { FUNCTION } from '@vizprompt/providers/config/internal';
import type { OpenedSubject } from '@vizprompt/providers/testing';
import type { Analyzer, Word } from '../analyze/analyzer.ts';
import { checkArgument } from '../check-options.ts';
import { Chunk } from '../chunk/chunk.ts';
import type { ChunkingStrategy } from '../chunk/chunking-strategy.ts';
import type { SearchBackend } from '../contract/search-backend.ts';

/** The parts that a backend is to be opened with. */
export interface BackendParts {
  readonly analyzer: Analyzer;
  readonly chunking: ChunkingStrategy;
}

/** A backend for one case. */
export interface OpenedBackend {
  readonly backend: SearchBackend;
  /** Opens what it stored a second time; absent if it stores nothing. The first one is closed. */
  reopen?(parts: BackendParts): Promise<SearchBackend>;
  /** Closes everything and deletes what was stored. */
  close(): Promise<void>;
}

/** Makes a fresh, empty backend. */
export type OpenBackend = (parts: BackendParts) => Promise<OpenedBackend>;

/** A text with this word makes the analyzer of the suite fail. */
export const UNANALYZABLE = '解析不能';

/** The subject of the suite's cases. */
export interface SearchBackendSubject {
  readonly backend: SearchBackend;
  /** The texts that the analyzer was given so far. */
  readonly analyzed: readonly string[];
  /** Another, empty one. */
  another(): Promise<SearchBackend>;
  /** Closes the backend and opens it again. */
  reopen(analyzerId?: string): Promise<SearchBackend>;
}

/** Opens a backend with an analyzer that can be watched. */
export async function openSubject(open: OpenBackend): Promise<OpenedSubject<SearchBackendSubject>> {
  checkArgument('the argument of openSubject', open, FUNCTION);
  const analyzed: string[] = [];
  const parts = { analyzer: watched(scriptAnalyzer(), analyzed), chunking: paragraphs };
  const first = await open(parts);
  const opened = [first];
  const close = async (): Promise<void> => {
    for (const one of opened) await one.close();
  };
  const subject: SearchBackendSubject = {
    backend: first.backend,
    analyzed,
    async another() {
      const other = await open({ ...parts, analyzer: scriptAnalyzer() });
      opened.push(other);
      return other.backend;
    },
    async reopen(analyzerId) {
      if (!first.reopen) throw new Error('this backend has no `reopen`');
      await first.backend.close();
      return first.reopen({ ...parts, analyzer: scriptAnalyzer(analyzerId) });
    },
  };
  return { subject, close };
}

function watched(analyzer: Analyzer, analyzed: string[]): Analyzer {
  return {
    ...analyzer,
    words(text) {
      analyzed.push(text);
      if (text.includes(UNANALYZABLE)) throw new Error('a text that cannot be analysed');
      return analyzer.words(text);
    },
  };
}

/** A chunk for each paragraph. */
export const paragraphs: ChunkingStrategy = {
  id: 'paragraphs-1',
  chunk({ novelId, filePath, text, tags = [] }) {
    const seen = new Map<string, number>();
    const chunks: Chunk[] = [];
    let line = 1;
    for (const part of text.split('\n\n')) {
      const height = part.split('\n').length;
      const place = { startLine: line, endLine: line + height - 1, chunkIndex: chunks.length };
      const ordinal = seen.get(part) ?? 0;
      seen.set(part, ordinal + 1);
      const what = { title: '', content: part, filePath, novelId, tags };
      if (part.trim() !== '') chunks.push(new Chunk({ ...what, ...place }, ordinal));
      line += height + 1;
    }
    return Promise.resolve(chunks);
  },
};

const WORD = /\p{sc=Han}+|\p{sc=Hiragana}+|\p{sc=Katakana}+|[\p{L}\p{N}]+|[^\s]/gu;

/** Readings and parts that a dictionary would know. */
const READINGS: Readonly<Record<string, readonly string[]>> = {
  灯台: ['トウダイ'],
  海: ['ウミ'],
  鍵: ['カギ'],
};
const PARTS: Readonly<Record<string, readonly string[]>> = { 灯台守: ['灯台', '守'] };

/**
 * Returns an analyzer that cuts where the script changes: enough to test an index with, without a dictionary.
 * It knows how 灯台, 海 and 鍵 are read, and what 灯台守 is made of.
 */
export function scriptAnalyzer(id = 'script-1'): Analyzer {
  const words = (text: string): readonly Word[] =>
    [...text.matchAll(WORD)].map(({ 0: word, index }) => {
      const basic = word.normalize('NFKC').toLowerCase();
      const isContent =
        /[\p{sc=Han}\p{sc=Katakana}\p{L}\p{N}]/u.test(word) && !/^[ぁ-ん]{1,2}$/u.test(word);
      const end = index + word.length;
      const extra = Object.hasOwn(PARTS, basic) ? PARTS[basic] : undefined;
      const facts = { start: index, end, basic, reading: '', pos: '', isContent };
      return extra ? { ...facts, extra } : facts;
    });
  return {
    specVersion: 1,
    id,
    words,
    readings: (basic) => {
      if (Object.hasOwn(READINGS, basic)) return READINGS[basic] ?? [];
      return /^[ァ-ヶー]+$/u.test(basic) ? [basic] : katakanaOf(basic);
    },
    analyze: (text) =>
      words(text)
        .filter(({ isContent }) => isContent)
        .map(({ basic, start, end }, position) => ({ text: basic, start, end, position })),
  };
}

function katakanaOf(basic: string): readonly string[] {
  if (!/^[ぁ-んー]+$/u.test(basic)) return [];
  return [basic.replaceAll(/[ぁ-ん]/gu, (kana) => String.fromCharCode(kana.charCodeAt(0) + 0x60))];
}
