// Figures of the analyser; prints them as JSON.
import { stat } from 'node:fs/promises';
import { kuromojinAnalyzer } from '@vizprompt/rag';
import { openAnalyzer } from './open-analyzer.mjs';
import { readLines } from './read-lines.mjs';

const CHARACTERS = 400_000;
const COMPARED = 200_000;
const PIECE = 2000;

const [, , task, dictionaries, corpus] = process.argv;

const timed = (work) => {
  const start = performance.now();
  work();
  return performance.now() - start;
};

/** Pieces of works from all over the corpus, so many characters in all. */
async function pieces(characters) {
  const all = [];
  for await (const { text } of readLines(corpus)) all.push(text.slice(0, PIECE));
  const step = Math.max(1, Math.floor((all.length * PIECE) / characters));
  return all.filter((_, at) => at % step === 0).slice(0, Math.ceil(characters / PIECE));
}

const tasks = {
  async load() {
    const start = performance.now();
    const analyzer = await openAnalyzer(dictionaries);
    const ms = performance.now() - start;
    const { size } = await stat(analyzer.spec.dictionary);
    return { ms, size };
  },
  async speed() {
    const analyzer = await openAnalyzer(dictionaries);
    const texts = await pieces(CHARACTERS);
    const all = () => texts.forEach((text) => analyzer.words(text));
    all();
    const times = Array.from({ length: 3 }, () => timed(all));
    const characters = texts.reduce((sum, { length }) => sum + length, 0);
    // Nothing ends a sentence here.
    const run = texts.join('').replaceAll(/[\s\p{P}\p{S}]+/gu, '');
    const short = Array.from({ length: 10 }, (_, at) => run.slice(at * 10_000, (at + 1) * 10_000));
    const long = run.slice(0, 100_000);
    const ratios = Array.from({ length: 5 }, () => {
      const parts = timed(() => short.forEach((text) => analyzer.words(text)));
      return timed(() => analyzer.words(long)) / parts;
    });
    return { perSecond: times.map((ms) => characters / (ms / 1000)), ratios };
  },
  /** The share of kuromojin's tokens that ours has too: same place, basic form, reading and kind. */
  async equality() {
    const ours = await openAnalyzer(dictionaries);
    const oracle = await kuromojinAnalyzer();
    const texts = await pieces(COMPARED);
    let same = 0;
    let all = 0;
    let sameTexts = 0;
    const times = { ours: 0, oracle: 0 };
    for (const text of texts) {
      let found = [];
      let expected = [];
      times.ours += timed(() => (found = ours.morphemes(text)));
      times.oracle += timed(() => (expected = oracle.morphemes(text)));
      const known = new Set(found.map(keyOf));
      all += expected.length;
      const common = expected.filter((token) => known.has(keyOf(token))).length;
      same += common;
      if (common === expected.length && common === known.size) sameTexts++;
    }
    return {
      equal: same / all,
      equalTexts: sameTexts / texts.length,
      ratio: times.oracle / times.ours,
    };
  },
};
console.log(JSON.stringify(await tasks[task]()));

function keyOf({ start, end, basic, reading, features }) {
  return JSON.stringify([start, end, basic, reading, features]);
}
