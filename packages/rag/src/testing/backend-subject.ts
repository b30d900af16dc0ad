import type { OpenedSubject } from '@vizprompt/providers/testing';
import type { Analyzer } from '../analyze/analyzer.ts';
import type { SearchBackend } from '../contract/search-backend.ts';
import type { ChunkingStrategy } from '../chunk/chunking-strategy.ts';
import { paragraphs } from './paragraphs.ts';
import { scriptAnalyzer } from './script-analyzer.ts';
import { checkArgument } from '../check-options.ts';
import { FUNCTION } from '@vizprompt/providers/config/internal';

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
