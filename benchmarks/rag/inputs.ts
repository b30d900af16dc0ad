import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { BenchOptions } from '../figures.ts';
import { findData } from '../find-data.ts';
import { writeMadeTexts } from './made-texts.ts';

/** Characters that are made at least: some works must be long. */
const LEAST_MADE = 2e6;

/** The files that a benchmark reads. */
export interface Inputs {
  /** Works: lines `{text}`. */
  readonly corpus: string;
  /** What they are, as a figure says it: the name of a file, or that they were made. */
  readonly texts: string;
  /** Whether the works were made, so that they say nothing about how well words are cut. */
  readonly isMade: boolean;
  /** Paragraphs with questions: lines `{title, text, questions}`. */
  readonly questions?: string;
  /** Conversations with questions in English. */
  readonly conversations?: string;
}

/**
 * The files of one's own, or those beside the repository. Where there are no works, some are made; what needs
 * questions is left out where there are none.
 *
 * @param folder - Where works are made.
 * @param characters - How many of them, at least.
 * @throws Error if a file or folder was named that is not there.
 */
export async function findInputs(
  { data, corpus, questions, log }: BenchOptions,
  folder: string,
  characters: number,
): Promise<Inputs> {
  for (const given of [data, corpus, questions]) {
    if (given !== undefined && !existsSync(given)) throw new Error(`there is no ${given}`);
  }
  const works = corpus ?? findData('aozora.jsonl.gz', data);
  const asked = questions ?? findData('jsquad-test.jsonl.gz', data);
  const conversations = findData('locomo-dev.json', data);
  const made = join(folder, 'made.jsonl');
  if (works === undefined) {
    log('there is no aozora.jsonl.gz: texts are made (--data DIR)');
    await writeMadeTexts(made, Math.max(LEAST_MADE, characters));
  }
  return {
    corpus: works ?? made,
    texts: works === undefined ? 'made, not written by people' : basename(works),
    isMade: works === undefined,
    ...(asked === undefined ? {} : { questions: asked }),
    ...(conversations === undefined ? {} : { conversations }),
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
