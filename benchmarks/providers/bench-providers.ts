import { execFileSync, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median, noise, round, type BenchOptions, type Figures } from '../figures.ts';

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Chunks of the long answer that the server gives. */
const CHUNKS = 3000;
const SDKS = ['openai', 'gemini', 'ollama'] as const;
const ENTRIES = ['', 'openai', 'gemini', 'ollama', 'registry', 'generate', 'middleware', 'ai-sdk'];
const IMPORTS = 7;

interface Side {
  /** Milliseconds. */
  readonly wall: number;
  /** Milliseconds. */
  readonly cpu: number;
}

/** Milliseconds of processor time for the same bytes in 16 frames, in one, and for a frame of half as many and of four times as many. */
interface FrameRound {
  readonly small: number;
  readonly large: number;
  readonly half: number;
  readonly fourfold: number;
}

type Pairs = readonly { readonly plain: Side; readonly ours: Side }[];

/**
 * Adapters against the bare SDKs, on the same fake server, in interleaved pairs: what a stream of
 * 3,000 chunks and a short call cost. A frame of 16 MB against 16 of 1 MB and one of 32 MB. And what importing each entry costs.
 */
export async function benchProviders({ log }: BenchOptions): Promise<Figures> {
  const figures: Record<string, number> = {};
  const server = fork(file('fake-llm-server.mjs'));
  try {
    const url = await new Promise<string>((resolve) =>
      server.once('message', (message) => resolve((message as { url: string }).url)),
    );
    for (const sdk of SDKS) {
      log(`streams and calls by ${sdk} ...`);
      const output = execFileSync(process.execPath, [file('worker.mjs'), sdk, url, '15'], {
        encoding: 'utf8',
        maxBuffer: 1 << 26,
      });
      const { stream, call } = JSON.parse(output) as { stream: Pairs; call: Pairs };
      figures[`stream_overhead_ratio_${sdk}`] = ratio(stream, 'cpu');
      figures[`stream_wall_ratio_${sdk}`] = ratio(stream, 'wall');
      figures[`stream_noise_${sdk}`] = noise(stream.map(({ plain }) => plain.cpu));
      figures[`stream_cpu_us_per_chunk_${sdk}`] = round(
        (median(stream.map(({ ours }) => ours.cpu)) * 1000) / (2 * CHUNKS),
      );
      figures[`call_overhead_ratio_${sdk}`] = ratio(call, 'cpu');
    }
  } finally {
    server.disconnect();
  }
  log('large frames ...');
  const frames = JSON.parse(
    execFileSync(process.execPath, [file('frames-worker.mjs'), '9'], { encoding: 'utf8' }),
  ) as Record<(typeof SDKS)[number], readonly FrameRound[]>;
  for (const sdk of SDKS) {
    const rounds = frames[sdk];
    figures[`frame_ratio_${sdk}`] = round(median(rounds.map(({ small, large }) => large / small)));
    figures[`frame_growth_${sdk}`] = round(
      median(rounds.map(({ half, fourfold }) => fourfold / half)),
    );
    figures[`frame_cpu_ms_${sdk}`] = round(median(rounds.map(({ large }) => large)));
  }
  const worst = (name: string): number =>
    Math.max(...SDKS.map((sdk) => figures[`${name}_${sdk}`] ?? Number.NaN));
  log('importing each entry ...');
  const idle = measureImport();
  const root = measureImport('@vizprompt/providers');
  return {
    stream_overhead_ratio: worst('stream_overhead_ratio'),
    call_overhead_ratio: worst('call_overhead_ratio'),
    frame_ratio: worst('frame_ratio'),
    root_import_ms: root.ms,
    ...figures,
    idle_rss_mb: idle.rss,
    ...Object.fromEntries(
      ENTRIES.flatMap((entry) => {
        const { ms, rss } = measureImport(`@vizprompt/providers${entry && `/${entry}`}`);
        const name = (entry || 'root').replace('-', '_');
        return [
          [`import_ms_${name}`, ms],
          [`rss_mb_${name}`, rss],
        ];
      }),
    ),
  };
}

/** The median over the pairs: 1.1 is ten per cent more than the bare SDK. */
function ratio(pairs: Pairs, key: keyof Side): number {
  return round(median(pairs.map(({ plain, ours }) => ours[key] / plain[key])));
}

/** Each import is made in a process of its own. */
function measureImport(name?: string): { readonly ms: number; readonly rss: number } {
  const load = name === undefined ? '' : `await import(${JSON.stringify(name)});`;
  const program = `const start = performance.now(); ${load}
    const ms = performance.now() - start; globalThis.gc();
    console.log(JSON.stringify({ ms, rss: process.memoryUsage().rss / 2 ** 20 }));`;
  const runs = Array.from({ length: IMPORTS }, () => {
    const args = ['--expose-gc', '--input-type=module', '-e', program];
    const options = { encoding: 'utf8', cwd: file('.') } as const;
    return JSON.parse(execFileSync(process.execPath, args, options)) as { ms: number; rss: number };
  });
  return {
    ms: round(median(runs.map(({ ms }) => ms))),
    rss: round(median(runs.map(({ rss }) => rss))),
  };
}
