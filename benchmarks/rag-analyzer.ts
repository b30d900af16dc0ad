import { readFileSync, statSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { compactAnalyzer, kuromojinAnalyzer, type MorphologicalAnalyzer } from '@vizprompt/rag';
import { median, round, type BenchOptions, type Figures } from './figures.ts';

/** What is read of the inputs, in UTF-16 units; kuromojin needs seconds for it. */
const MAX_SIZE = 600_000;
const ROUNDS = 5;

/** How the morphemes of the compact analyser compare with those of kuromojin. */
export interface Comparison {
  readonly tokens: number;
  /** The share of kuromojin's tokens with the same place, basic form, reading and features. */
  readonly equal: number;
  /** The share of texts without any difference. */
  readonly equalTexts: number;
}

/**
 * Speed and truth of the compact analyser beside kuromojin, which is told the same normal form. Run
 * by name: without `--data FILE.jsonl[.gz]` it measures a text of its own.
 */
export async function benchRagAnalyzer({ data, log }: BenchOptions): Promise<Figures> {
  const texts = data === undefined ? ownTexts() : readTexts(data);
  const size = texts.reduce((sum, text) => sum + text.length, 0);
  await compactAnalyzer();
  const loads: number[] = [];
  let compact: MorphologicalAnalyzer | undefined;
  for (let turn = 0; turn < ROUNDS; turn++) {
    const start = performance.now();
    compact = await compactAnalyzer();
    loads.push(performance.now() - start);
  }
  if (compact?.spec?.kind !== 'compact') throw new Error('the analyser has no dictionary');
  const { dictionary } = compact.spec;
  const { words, morphemes } = compact;
  const kuromojin = await kuromojinAnalyzer();
  log(`${texts.length} texts, ${size} characters`);
  const comparison = compareWithKuromojin(compact, kuromojin, texts);
  return {
    dictionary_mb: round(statSync(dictionary).size / 1e6),
    load_ms: round(median(loads)),
    words_kchars_s: round(size / timeOf(texts, words)),
    morphemes_kchars_s: round(size / timeOf(texts, morphemes)),
    kuromojin_kchars_s: round(size / timeOf(texts, kuromojin.morphemes, 1)),
    tokens: comparison.tokens,
    equal_percent: 100 * comparison.equal,
    equal_texts_percent: 100 * comparison.equalTexts,
  };
}

/** Compares all that both know of each morpheme, on the texts in normal form. */
export function compareWithKuromojin(
  compact: MorphologicalAnalyzer,
  kuromojin: MorphologicalAnalyzer,
  texts: readonly string[],
): Comparison {
  let tokens = 0;
  let equal = 0;
  let equalTexts = 0;
  for (const text of texts) {
    const found = new Set(linesOf(compact, text));
    const expected = linesOf(kuromojin, text);
    const same = expected.filter((line) => found.has(line)).length;
    tokens += expected.length;
    equal += same;
    if (same === expected.length && same === found.size) equalTexts++;
  }
  return { tokens, equal: equal / tokens, equalTexts: equalTexts / texts.length };
}

function linesOf(analyzer: MorphologicalAnalyzer, text: string): string[] {
  return analyzer
    .morphemes(text)
    .map(({ start, surface, basic, reading, features }) =>
      [start, surface, basic, reading, ...features].join(' '),
    );
}

/** Milliseconds for all texts, the median of some rounds. */
function timeOf(
  texts: readonly string[],
  cut: (text: string) => unknown,
  rounds: number = ROUNDS,
): number {
  const times: number[] = [];
  for (let turn = 0; turn < rounds; turn++) {
    const start = performance.now();
    for (const text of texts) cut(text);
    times.push(performance.now() - start);
  }
  return median(times);
}

function readTexts(path: string): string[] {
  const bytes = readFileSync(path);
  const lines = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString().split('\n');
  const texts: string[] = [];
  const step = Math.max(1, Math.floor(bytes.length / MAX_SIZE / 4));
  let size = 0;
  for (let line = 0; line < lines.length && size < MAX_SIZE; line += step) {
    if (!lines[line]) continue;
    const { text } = JSON.parse(lines[line] ?? '') as { text: string };
    texts.push(text.slice(0, 20_000));
    size += texts.at(-1)?.length ?? 0;
  }
  return texts;
}

function ownTexts(): string[] {
  const text =
    '吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。サーバーの設定を変更したら、' +
    'ログインできなくなってしまいました。彼女は走れば間に合うと思ったが、走らなかった。\n';
  return Array.from({ length: 500 }, (_, index) => text.slice(index % 50).repeat(3));
}
