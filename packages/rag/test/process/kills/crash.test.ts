import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { SourceDocument } from '../../../src/chunk/chunking-strategy.ts';
import { SegmentBackend, segmenterAnalyzer, type SearchHit } from '../../../src/index.ts';
import {
  Acknowledged,
  isOpen,
  kill,
  startChild,
  type WriterMessage,
} from '../../support/children.ts';
import { paragraphs, temporaryFolder } from '../../support/search-index.ts';

/** `npm run test:soak` kills more often. */
const ROUNDS = Number(process.env['SOAK_ROUNDS'] ?? 5);

const QUERIES = ['灯台', '嵐の猫', '海と夜明けとカモメ', '"猫の海"', '+桟橋 -手紙', '/new [0-9]+/'];

it(
  'keeps what was acknowledged when the writer is killed at any moment, and nothing else',
  { timeout: 30_000 + ROUNDS * 6000 },
  async () => {
    const folder = temporaryFolder();
    const acknowledged = new Acknowledged();
    for (let round = 0; round < ROUNDS; round++) {
      const child = startChild('write-index', [folder, `w${round % 3}`, `${round * 100_000}`]);
      child.on('message', (message: WriterMessage) => acknowledged.hear(message));
      // Loading takes a time of its own; from then on any moment will do.
      await isOpen(child);
      // On a slow machine all rounds could end before anything was acknowledged.
      await expect.poll(() => round + acknowledged.count).toBeGreaterThan(0);
      await sleep(Math.random() * 500);
      await kill(child);

      const discarded: string[] = [];
      const backend = await open(folder, (reason) => discarded.push(reason));
      const { hits, chunks } = await answers(backend);
      expect(discarded).toEqual([]);
      const found = await findState(acknowledged, chunks, hits);
      acknowledged.settle(found);

      // The process that indexed for the writer may end a moment after it, and leave its file then.
      await expect.poll(() => filesLeft(folder, backend)).toBeLessThanOrEqual(1);
      expect(await answers(backend)).toEqual({ hits, chunks });
      await backend.close();
      const again = await open(folder);
      expect(await answers(again)).toEqual({ hits, chunks });
      await again.close();
    }
    expect(acknowledged.count).toBeGreaterThan(0);
  },
);

/** Which of the states that may be is the one that the index answers as. */
async function findState(
  acknowledged: Acknowledged,
  chunks: number,
  hits: readonly (readonly SearchHit[])[],
): Promise<readonly SourceDocument[]> {
  const different: unknown[] = [];
  for (const state of acknowledged.states()) {
    const fresh = await open(temporaryFolder());
    await fresh.index(state);
    const expected = await answers(fresh);
    await fresh.close();
    if (JSON.stringify(expected) === JSON.stringify({ hits, chunks })) return state;
    different.push(expected);
  }
  expect(different).toContainEqual({ hits, chunks });
  throw new Error('the index is in none of the states that may be');
}

function open(
  folder: string,
  onDiscarded: (reason: string) => void = () => undefined,
): Promise<SegmentBackend> {
  return SegmentBackend.open({
    folder,
    analyzer: segmenterAnalyzer(),
    chunking: paragraphs,
    mayFork: false,
    on: { 'index:discarded': ({ reason }) => onDiscarded(reason) },
  });
}

async function answers(
  backend: SegmentBackend,
): Promise<{ hits: readonly (readonly SearchHit[])[]; chunks: number }> {
  const hits: (readonly SearchHit[])[] = [];
  for (const query of QUERIES) hits.push((await backend.search(query, { k: 30 })).hits);
  return { hits, chunks: (await backend.stats()).chunks };
}

/** How many files of segments there are when what was left behind is swept away. */
async function filesLeft(folder: string, backend: SegmentBackend): Promise<number> {
  makeOld(folder);
  await backend.compact();
  return readdirSync(folder).filter((file) => /^segment-|\.tmp$/.test(file)).length;
}

/** Everything that is there is as old as what may be swept away. */
function makeOld(folder: string): void {
  const past = Date.now() / 1000 - 7200;
  for (const file of readdirSync(folder)) {
    if (file.endsWith('.bin') || file.endsWith('.tmp')) utimesSync(join(folder, file), past, past);
  }
}
