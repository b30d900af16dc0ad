import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, percentile, round, type BenchOptions, type Figures } from '../figures.ts';
import { findInputs } from './inputs.ts';
import { NoiseMeter } from './noise-meter.ts';
import { runWorker } from './run-worker.ts';

const FILES = 2000;
/** Two texts of about 1,000 characters for each file, and what is left over of works. */
const CHARACTERS = 3 * FILES * 1000;
/** Seconds that watching waits for further changes. */
const DEBOUNCE = 0.5;

interface Measured {
  readonly characters: number;
  /** Milliseconds from saving a file until a search finds it. */
  readonly found: readonly number[];
  /** Seconds, one of each in every round. */
  readonly index: readonly number[];
  readonly rewritten: readonly number[];
  readonly edited: readonly number[];
  /** Seconds of looking at all files when none has changed. */
  readonly look: readonly number[];
  /** Seconds of processors. */
  readonly cpu: Readonly<Record<'index' | 'rewritten' | 'edited', readonly number[]>>;
}

/**
 * A watched project of 2,000 files of about 1,000 characters: how soon a saved file is found, and what
 * it takes when all files have changed at once, beside indexing the same files afresh: other texts in all of
 * them (`watch_2000_*`), or a sentence more in each (`watch_2000_edited_*`). All times of watching have the
 * 500 ms in them that it waits for further changes; `*_after_debounce_ratio` is without them.
 */
export async function benchRagWatch(options: BenchOptions): Promise<Figures> {
  const { log } = options;
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-bench-watch-'));
  const noise = new NoiseMeter();
  try {
    const { corpus, texts } = await findInputs(options, folder, CHARACTERS);
    log(`watching ${FILES} files ...`);
    noise.sample();
    const { result } = await runWorker<Measured>('watch-worker.mjs', [folder, FILES, corpus]);
    noise.sample();
    const ratios = (times: readonly number[], index = result.index): readonly number[] =>
      times.map((time, at) => time / (index[at] ?? Number.NaN));
    const later = (times: readonly number[]): readonly number[] =>
      times.map((time) => time - DEBOUNCE);
    const { cpu } = result;
    return {
      texts,
      watch_files: FILES,
      watch_characters: result.characters,
      watch_found_ms: round(median(result.found)),
      watch_found_p95_ms: round(percentile(result.found, 0.95)),
      watch_look_ms: round(1000 * median(result.look)),
      index_2000_s: round(median(result.index)),
      watch_2000_s: round(median(result.rewritten)),
      watch_2000_ratio: round(median(ratios(result.rewritten))),
      watch_2000_after_debounce_ratio: round(median(ratios(later(result.rewritten)))),
      watch_2000_edited_s: round(median(result.edited)),
      watch_2000_edited_ratio: round(median(ratios(result.edited))),
      watch_2000_edited_after_debounce_ratio: round(median(ratios(later(result.edited)))),
      watch_2000_cpu_ratio: round(median(ratios(cpu.rewritten, cpu.index))),
      watch_2000_edited_cpu_ratio: round(median(ratios(cpu.edited, cpu.index))),
      noise_pct: round(noise.percent()),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
