import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { staticEmbeddings } from '@vizprompt/providers/static-embeddings';
import {
  safetensors,
  unigramTokenizer,
  writeFiles,
} from '../../packages/providers/test/support/models/write-static-model.ts';
import { median, round, type BenchOptions, type Figures } from '../figures.ts';

const PIECES = 32_766;
const LENGTH = 40;
const SENTENCES = 2000;
const RUNS = 5;
const WIDTHS = [256, 512, 1024] as const;

/**
 * Static embeddings on a model with random weights in the shape of `static-embedding-japanese` (32,768 pieces): sentences of 40
 * characters a second, of processor time on one core, and what opening costs.
 */
export async function benchStatic({ log }: BenchOptions): Promise<Figures> {
  const figures: Record<string, number> = {};
  for (const width of WIDTHS) {
    log(`a model of ${width} dimensions ...`);
    const folder = await mkdtemp(path.join(tmpdir(), 'bench-static-'));
    try {
      await writeModel(folder, width);
      const embeddings = staticEmbeddings({ folder });
      const start = performance.now();
      await embeddings.embed({ values: ['山'] });
      figures[`open_ms_${width}`] = round(performance.now() - start);
      const values = sentences();
      const runs: number[] = [];
      for (let run = 0; run <= RUNS; run++) {
        const before = process.cpuUsage();
        await embeddings.embed({ values });
        const { user, system } = process.cpuUsage(before);
        if (run > 0) runs.push((user + system) / 1e6);
      }
      figures[`sentences_per_s_${width}`] = Math.round(SENTENCES / median(runs));
    } finally {
      await rm(folder, { recursive: true });
    }
  }
  return figures;
}

async function writeModel(folder: string, width: number): Promise<void> {
  const rows = PIECES + 2;
  const table = Float32Array.from({ length: rows * width }, (_, at) => Math.sin(at * 12.9898));
  const bytes = new Uint8Array(table.buffer);
  await writeFiles(folder, {
    'model.safetensors': safetensors({
      'embedding.weight': { type: 'F32', shape: [rows, width], bytes },
    }),
    'tokenizer.json': unigramTokenizer(pieces()),
  });
}

/** Kana and kanji, and words of two and three of them. */
function characters(): string[] {
  const from = (start: number, count: number): string[] =>
    Array.from({ length: count }, (_, at) => String.fromCodePoint(start + at));
  return [...from(0x3041, 86), ...from(0x30a1, 86), ...from(0x4e00, 6000)];
}

function pieces(): string[] {
  const single = characters();
  const words = new Set<string>();
  for (let at = 1; words.size < PIECES - single.length; at++) {
    words.add(wordAt(single, at));
  }
  return [...single, ...words];
}

function wordAt(single: readonly string[], at: number): string {
  const turn = Math.floor(at / single.length);
  const pick = (step: number): string =>
    single[(at * step + turn * step * step) % single.length] ?? '';
  return at % 2 ? pick(7) + pick(13) : pick(3) + pick(11) + pick(17);
}

/** Sentences of words that the model knows, and of single characters. */
function sentences(): string[] {
  const single = characters();
  return Array.from({ length: SENTENCES }, (_, line) => {
    let text = '';
    for (let at = 0; text.length < LENGTH; at++) {
      const word = line * 31 + at * 97 + 1;
      text += at % 3 ? wordAt(single, word) : (single[word % single.length] ?? '');
    }
    return text.slice(0, LENGTH);
  });
}
