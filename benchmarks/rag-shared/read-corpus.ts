import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { SourceDocument } from '@vizprompt/rag';
import { randomNumbers } from '../rag/metrics.ts';

/** The works of a file of lines `{text}`, as documents of one project. */
export function* readCorpus(file: string): Generator<SourceDocument> {
  const bytes = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  let number = 0;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const work = JSON.parse(line) as { readonly text: string };
    yield { novelId: 'works', filePath: `${number++}.txt`, text: work.text };
  }
}

/** Sentences of the texts, and runs of kanji or katakana in them. */
export interface Queries {
  readonly searches: readonly string[];
  readonly phrases: readonly string[];
  readonly regexes: readonly string[];
}

const SENTENCE = /[^。、「」\s]{15,45}/gu;
const WORD = /\p{sc=Han}{2,4}|\p{sc=Katakana}{3,8}/gu;

/** Chooses queries from texts, the same in every run. */
export function chooseQueries(texts: readonly string[], count: number): Queries {
  const random = randomNumbers(4711);
  const some = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const piece = (pattern: RegExp): string => {
    for (;;) {
      const found = some([...(some(texts) ?? '').slice(0, 20_000).matchAll(pattern)]);
      if (found) return found[0].replaceAll(/["*+\-/:|()]/g, '');
    }
  };
  const words = (): string =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => piece(WORD)).join(' ');
  const list = (make: () => string): readonly string[] => Array.from({ length: count }, make);
  return {
    searches: [...list(() => piece(SENTENCE)), ...list(words)],
    phrases: list(() => `"${piece(SENTENCE).slice(2, 10)}"`),
    regexes: list(() => `/${piece(WORD)}.{0,3}${piece(WORD).slice(0, 1)}/`),
  };
}
