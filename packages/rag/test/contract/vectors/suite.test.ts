import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VectorError, type VectorStore } from '@vizprompt/providers';
import { sqliteDatabase } from '@vizprompt/providers/node';
import { quantizedVectors } from '@vizprompt/providers/quantized';
import { describe, it } from 'vitest';
import { HybridBackend } from '../../../src/backends/hybrid-backend.ts';
import { SegmentBackend } from '../../../src/backends/segment-backend.ts';
import { VectorBackend } from '../../../src/backends/vector-backend.ts';
import {
  testSearchBackend,
  type BackendParts,
  type OpenedBackend,
} from '../../../src/testing/index.ts';
import { wordEmbeddings } from '../../support/word-embeddings.ts';
import type { SearchBackend } from '../../../src/contract/search-backend.ts';

const runner = { describe, it };
const embeddings = wordEmbeddings();
const DIMENSIONS = embeddings.dimensions ?? 0;
/** Texts that share no word are at a right angle. */
const minScore = 1e-4;

/** A case about how many words of a question a hit must have. */
const OF_MANY =
  'passes over chunks with one of many words while others have more, and else takes them';

/** A store on a server that is not there. */
const away: VectorStore = (() => {
  const fail = (): Promise<never> => Promise.reject(new VectorError('unavailable', 'away'));
  return {
    specVersion: 1,
    dimensions: DIMENSIONS,
    upsert: fail,
    delete: fail,
    query: fail,
    count: fail,
    close: async () => {},
  };
})();

async function inFolder(
  parts: BackendParts,
  open: (
    folder: string,
    database: ReturnType<typeof sqliteDatabase>,
    parts: BackendParts,
  ) => Promise<SearchBackend>,
): Promise<OpenedBackend> {
  const folder = mkdtempSync(join(tmpdir(), 'rag-hybrid-'));
  const database = sqliteDatabase({ path: join(folder, 'vectors.db'), durability: 'normal' });
  const backend = await open(folder, database, parts);
  return {
    backend,
    reopen: (other) => open(folder, database, other),
    close: async () => {
      await backend.close();
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

testSearchBackend({
  name: 'HybridBackend whose vectors are away',
  runner,
  isPersistent: true,
  open: (parts) =>
    inFolder(parts, async (folder, database, { analyzer, chunking }) =>
      HybridBackend.open({
        keyword: await SegmentBackend.open({ folder, analyzer, chunking, mayFork: false }),
        chunking,
        database,
        store: away,
        embeddings,
      }),
    ),
});

testSearchBackend({
  name: 'HybridBackend',
  runner,
  isPersistent: true,
  expectedFailures: {
    [OF_MANY]: 'what the words pass over, the vectors find',
    'gives each hit once when all pages are asked for':
      'each comes once, but the total counts again what words find behind the best of them',
  },
  open: (parts) =>
    inFolder(parts, async (folder, database, { analyzer, chunking }) => {
      const keyword = await SegmentBackend.open({ folder, analyzer, chunking, mayFork: false });
      // Vectors would answer while the words are still analysed again.
      await keyword.ready;
      return HybridBackend.open({
        keyword,
        chunking,
        database,
        store: quantizedVectors({ database, dimensions: DIMENSIONS }),
        embeddings,
        minScore,
      });
    }),
});

testSearchBackend({
  name: 'VectorBackend',
  runner,
  expectedFailures: {
    [OF_MANY]: 'every chunk that is near is a hit, with one word or with many',
    'forgets a removed document at once: no hit, not in the total, not in the figures':
      'a pattern alone means nothing, so it finds nothing',
    'analyses only chunks that changed, and knows where the others are now':
      'there is no analyser; what is embedded is tested elsewhere',
    'changes nothing when an update fails':
      'there is no analyser that could fail; failures of model and store are tested elsewhere',
    'gives scores from 0 to 1, best first': 'a pattern alone means nothing, so it finds nothing',
    'prefers rare words, words in titles and words that are near each other':
      'vectors know directions, not how rare a word is or where it stands',
    'understands the query language': 'parts of words and readings need an index of words',
    'shows a verbatim piece of at most 240 units, and marks exactly what was asked for':
      'nearness has no place in the text to mark',
    'keeps any text as it is, and survives any query': 'there is nothing to mark in the text',
    'takes 100,000 characters without a space, and long words':
      'the front of a word is no word, and has no meaning',
  },
  open: (parts) =>
    inFolder(parts, (_folder, database, { chunking }) =>
      VectorBackend.open({
        chunking,
        database,
        store: quantizedVectors({ database, dimensions: DIMENSIONS }),
        embeddings,
        minScore,
      }),
    ),
});
