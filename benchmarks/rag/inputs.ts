import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { BenchOptions } from '../figures.ts';

/** Where inputs lie unless told otherwise: beside the folder of the repository. */
export const DEFAULT_FOLDER = fileURLToPath(new URL('../../../shared/data', import.meta.url));

const HOW =
  'Give a folder with --data DIR, or files with --corpus FILE.jsonl.gz (lines {file, title, text}) ' +
  'and --questions FILE.jsonl.gz (lines {title, text, questions}).';

/** The files that the benchmark reads. */
export interface Inputs {
  readonly corpus: string;
  readonly questions: string;
  /** Conversations with questions in English; left out if there are none. */
  readonly conversations?: string;
}

/** @throws Error that says how to give them, if they are not there. */
export function findInputs({ data = DEFAULT_FOLDER, corpus, questions }: BenchOptions): Inputs {
  const conversations = join(data, 'locomo-dev.json');
  return {
    corpus: found(corpus ?? join(data, 'aozora.jsonl.gz'), 'texts'),
    questions: found(questions ?? join(data, 'jsquad-test.jsonl.gz'), 'questions'),
    ...(existsSync(conversations) ? { conversations } : {}),
  };
}

/** A paragraph that answers questions. */
export interface Paragraph {
  readonly title: string;
  readonly text: string;
  readonly questions: readonly string[];
}

export function readParagraphs(file: string): readonly Paragraph[] {
  const bytes = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Paragraph);
}

/** A conversation, and what is asked of it. */
export interface Conversation {
  readonly sessions: readonly {
    readonly turns: readonly {
      readonly id: string;
      readonly speaker: string;
      readonly text: string;
    }[];
  }[];
  readonly questions: readonly {
    readonly question: string;
    /** The ids of the turns that hold the answer. */
    readonly evidence: readonly string[];
  }[];
}

export function readConversations(file: string): readonly Conversation[] {
  return JSON.parse(readFileSync(file, 'utf8')) as readonly Conversation[];
}

function found(file: string, what: string): string {
  if (existsSync(file)) return file;
  throw new Error(`there are no ${what} at ${file}. ${HOW}`);
}
