import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchOptions, Figures } from '../figures.ts';
import { assertParts, round } from '../figures.ts';
import { benchHybridQuality } from './hybrid-quality.ts';
import { benchHybridSpeed } from './hybrid-speed.ts';
import { findInputs } from './inputs.ts';
import { NoiseMeter } from './noise-meter.ts';

const CHUNKS = 50_000;
/** Of a chunk, where works are made. */
const CHARACTERS = 400;

/**
 * What vectors of known quality add to words or take from them, and how long a hybrid search takes beside
 * sqlite-vec in the same run. The vectors are made, and no model is asked, so its time is not in the
 * figures. Runs on the built packages. Parts: `quality`, `speed`.
 */
export async function benchRagHybrid(options: BenchOptions): Promise<Figures> {
  const { chunks = CHUNKS, only, log } = options;
  assertParts(only, ['quality', 'speed']);
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-bench-hybrid-'));
  const noise = new NoiseMeter();
  const figures: Record<string, number | string> = {};
  try {
    const { corpus, texts, questions } = await findInputs(options, folder, chunks * CHARACTERS);
    const place = { folder, dictionaries: join(folder, 'dictionaries'), log };
    await mkdir(place.dictionaries);
    noise.sample();
    if (questions === undefined) log('no jsquad-test.jsonl.gz: quality is left out');
    else if (!only || only.includes('quality')) {
      Object.assign(figures, await benchHybridQuality(questions, place));
    }
    noise.sample();
    if (!only || only.includes('speed')) {
      Object.assign(figures, await benchHybridSpeed(corpus, chunks, place));
    }
    noise.sample();
    return { texts, ...figures, noise_pct: round(noise.percent()) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
