import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchOptions, Figures } from '../figures.ts';
import { findData } from '../find-data.ts';
import { benchAppend } from './append.ts';
import { benchLocomo } from './locomo.ts';
import { benchHooks } from './hooks.ts';
import { benchSpeed } from './speed.ts';
import { benchMemoryImport } from './import.ts';

const EVENTS = 1_000_000;
const LOCOMO = 'locomo-dev.json';

/**
 * What a memory finds of long conversations, how fast it takes events in beside bare better-sqlite3, and how
 * long it searches in a million events.
 */
export async function benchMemory(options: BenchOptions): Promise<Figures> {
  const { only, log, data, events = EVENTS } = options;
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-bench-memory-'));
  const figures: Record<string, number | string> = {};
  const part = async (name: string, measure: () => Promise<Figures>): Promise<void> => {
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
    await part('speed', () => benchSpeed(join(folder, 'speed.db'), events, log));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return figures;
}
