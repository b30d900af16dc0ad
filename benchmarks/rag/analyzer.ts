import { median, round, type Figures } from '../figures.ts';
import type { Place } from './ask-system.ts';
import type { Inputs } from './inputs.ts';
import { repeated } from './ours.ts';
import { runWorker } from './run-worker.ts';

const PROCESSES = 5;
const WORKER = 'analyzer-worker.mjs';

/** The default analyser: what it takes to compile and to open it, how fast it is, and how right. */
export async function benchAnalyzer(
  { corpus, isMade }: Inputs,
  { dictionaries, log }: Place,
): Promise<Figures> {
  log('the analyser ...');
  const load = (): Promise<{ result: { ms: number; size: number }; peak: number | undefined }> =>
    runWorker(WORKER, ['load', dictionaries]);
  const compiled = await load();
  const loads = await repeated(PROCESSES, load);
  const speed = await runWorker<{ perSecond: readonly number[]; ratios: readonly number[] }>(
    WORKER,
    ['speed', dictionaries, corpus],
  );
  const equality = await runWorker<{ equal: number; equalTexts: number; ratio: number }>(WORKER, [
    'equality',
    dictionaries,
    corpus,
  ]);
  const { equal, equalTexts, ratio } = equality.result;
  return {
    dictionary_compile_s: round(compiled.result.ms / 1000),
    ...(compiled.peak === undefined ? {} : { dictionary_compile_peak_mb: round(compiled.peak) }),
    dictionary_mb: round(compiled.result.size / 1e6),
    analyzer_load_ms: round(median(loads.map(({ result }) => result.ms))),
    analyzer_chars_per_s: round(median(speed.result.perSecond)),
    analyzer_speed_over_kuromojin: round(ratio),
    // Of few words, all would be equal.
    ...(isMade
      ? {}
      : {
          analyzer_equal_pct: Number((100 * equal).toFixed(3)),
          analyzer_equal_texts_pct: round(100 * equalTexts),
        }),
    analyzer_linear_ratio: round(median(speed.result.ratios)),
  };
}
