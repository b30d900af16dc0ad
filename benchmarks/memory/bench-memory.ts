import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assertParts, type BenchOptions, type Figures } from '../figures.ts';
import { findData } from '../find-data.ts';
import { benchAppend } from './append.ts';
import { benchLocomo } from './locomo.ts';
import { benchHooks } from './hooks.ts';
import { benchSpeed } from './speed.ts';
import { benchMemoryImport } from './import.ts';
import { inFile, onServer } from './memory-place.ts';
import { startPostgres } from '../start-postgres.ts';

const EVENTS = 1_000_000;
const LOCOMO = 'locomo-dev.json';
const PARTS = ['locomo', 'append', 'hooks', 'import', 'speed'] as const;

/**
 * What a memory finds of long conversations, how fast it takes events in beside bare better-sqlite3, and how
 * long it searches in a million events.
 */
export async function benchMemory(options: BenchOptions): Promise<Figures> {
  const { only, log, data, events = EVENTS } = options;
  assertParts(only, PARTS);
  if (options.postgres) return benchOnPostgres(events, log);
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-bench-memory-'));
  const figures: Record<string, number | string> = {};
  const part = async (
    name: (typeof PARTS)[number],
    measure: () => Promise<Figures>,
  ): Promise<void> => {
    if (only && !only.includes(name)) return;
    log(`memory: ${name}`);
    Object.assign(figures, await measure());
  };
  try {
    const locomo = options.locomo ?? findData(LOCOMO, data);
    if (locomo !== undefined) {
      await part('locomo', () => benchLocomo(locomo, join(folder, 'locomo.db')));
    } else {
      log(`memory: no LoCoMo: name its file by --locomo, or a folder with ${LOCOMO} by --data`);
    }
    await part('append', () => benchAppend(folder));
    await part('hooks', () => benchHooks(log));
    await part('import', () => benchMemoryImport(log));
    await part('speed', () => benchSpeed(inFile(folder), events, log));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return figures;
}

/** The part about speed with the memory on a PostgreSQL server. Its figures have names of their own. */
async function benchOnPostgres(events: number, log: (line: string) => void): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-bench-memory-'));
  const server = await startPostgres();
  try {
    const figures = await benchSpeed(onServer(server.url, folder), events, log);
    return Object.fromEntries(
      Object.entries(figures).map(([name, value]) => [`postgres_${name}`, value]),
    );
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
