import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { NOVELS } from '../../packages/rag/test/support/relevance/small-set.ts';
import { findData } from '../find-data.ts';
import type { Figures } from '../figures.ts';
import type { Place } from './ask-system.ts';
import { readParagraphs } from './inputs.ts';
import { bootstrap, hit, mean, reciprocal } from './metrics.ts';
import { isTuned } from './relevance.ts';
import { runWorker } from './run-worker.ts';

/** One of so many other works is among those that are asked about; longer ones are left out. */
const EVERY = 9;
const LONGEST = 60_000;
/** The list that `dialogoi thesaurus sudachi` downloads. */
const LIST =
  'https://raw.githubusercontent.com/WorksApplications/SudachiDict/2c7cbcf2914edaccab53a28ae0d3e4befb524053/src/main/text/synonyms.txt';

/** A question in other words than the work, and a piece of the passage that answers it. */
interface Reworded {
  readonly work: string;
  readonly quote: string;
  readonly question: string;
}

interface Work {
  readonly title: string;
  readonly text: string;
}

type Ranks = readonly number[];

interface Result {
  readonly chunks: number;
  readonly openMs: number;
  readonly novels: { readonly words: Ranks; readonly thesaurus: Ranks };
  readonly paragraphs: { readonly words: Ranks; readonly thesaurus: Ranks };
}

/**
 * Questions about novels in other words than theirs, with and without the synonyms of SudachiDict, and what these cost
 * where questions have the words of the text. The weights were tuned on `reworded/tuned.tsv` and on one half of the
 * paragraphs; what is reported is the rest.
 *
 * @param works - Lines of JSON `{title, text}`, among them the works of the questions.
 * @param paragraphs - As the relevance reads it.
 */
export async function benchReworded(
  works: string,
  paragraphs: string | undefined,
  data: string | undefined,
  place: Place,
): Promise<Figures> {
  const list = await readList(data);
  if (list === undefined) {
    place.log(`no synonyms.txt, and no way to ${LIST}: reworded questions are left out`);
    return {};
  }
  const questions = readQuestions();
  const texts = worksFor(questions, works);
  const asked = questions.filter(({ work, quote }) =>
    texts.some(({ title, text }) => title === work && text.includes(quote)),
  );
  place.log(`asking ${asked.length} reworded questions over ${texts.length} works ...`);
  const own = paragraphs === undefined ? [] : readParagraphs(paragraphs);
  const given = join(place.folder, 'reworded.json');
  const reported = own.flatMap(({ title, questions: some }, paragraph) =>
    isTuned(title) ? [] : some.map((question) => ({ question, paragraph, title })),
  );
  const content = { list, texts, asked, paragraphs: own, questions: reported };
  await writeFile(given, JSON.stringify(content));
  const { result } = await runWorker<Result>('reworded-worker.mjs', [
    place.folder,
    place.dictionaries,
    given,
  ]);
  const { novels } = result;
  const [words, thesaurus] = [novels.words, novels.thesaurus].map((ranks) =>
    mean(ranks.map((rank) => Number(rank > 0))),
  );
  return {
    reworded_questions: asked.length,
    reworded_chunks: result.chunks,
    reworded_open_ms: Number(result.openMs.toFixed(1)),
    ...named('words', novels.words),
    ...named('thesaurus', novels.thesaurus),
    reworded_times: rounded((thesaurus ?? 0) / (words ?? 1)),
    ...costOf(
      result,
      reported.map(({ title }) => title),
    ),
  };
}

/** In points, and between which bounds that is for sure. */
function costOf({ paragraphs: { words, thesaurus } }: Result, titles: readonly string[]): Figures {
  if (words.length === 0) return {};
  const differences = thesaurus.map((rank, at) => 100 * (hit(rank) - hit(words[at] ?? 0)));
  const [low, high] = bootstrap(differences, titles);
  return {
    thesaurus_points: rounded(mean(differences)),
    thesaurus_points_low: rounded(low),
    thesaurus_points_high: rounded(high),
  };
}

function named(name: string, ranks: Ranks): Figures {
  return {
    [`reworded_hit_at_1_${name}`]: rounded(mean(ranks.map(hit))),
    [`reworded_hit_at_10_${name}`]: rounded(mean(ranks.map((rank) => Number(rank > 0)))),
    [`reworded_mrr_${name}`]: rounded(mean(ranks.map(reciprocal))),
  };
}

function readQuestions(): readonly Reworded[] {
  const file = fileURLToPath(new URL('reworded/reported.tsv', import.meta.url));
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [work = '', quote = '', question = ''] = line.split('\t');
    return { work, quote, question };
  });
}

/** The works of the questions, the novels of the tests among them, and some others. */
function worksFor(questions: readonly Reworded[], file: string): readonly Work[] {
  const wanted = new Set(questions.map(({ work }) => work));
  const bytes = readFileSync(file);
  const lines = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString().trim().split('\n');
  const works = lines.map((line): Work => {
    const { title = '', text }: Partial<Work> = JSON.parse(line);
    return { title, text: text ?? '' };
  });
  const first = new Map(works.toReversed().map((work) => [work.title, work]));
  const own = Object.values(NOVELS).map(({ title, chunks }) => {
    const parts = chunks.map((chunk) => `# ${chunk.title}\n\n${chunk.content}`);
    return { title, text: parts.join('\n\n') };
  });
  const others = works.filter(({ title, text }, at) => {
    return at % EVERY === 0 && !wanted.has(title) && text.length < LONGEST;
  });
  return [...[...wanted].flatMap((title) => first.get(title) ?? []), ...own, ...others];
}

/** The list in the folder of the data, or else from its repository. */
async function readList(data: string | undefined): Promise<string | undefined> {
  const file = findData('synonyms.txt', data);
  if (file !== undefined) return readFileSync(file, 'utf8');
  try {
    const response = await fetch(LIST, { signal: AbortSignal.timeout(30_000) });
    return response.ok ? await response.text() : undefined;
  } catch {
    return undefined;
  }
}

function rounded(value: number): number {
  return Number(value.toFixed(4));
}
