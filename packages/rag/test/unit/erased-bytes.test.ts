import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashEmbeddings } from '@vizprompt/providers/testing';
import { sqliteDatabase } from '@vizprompt/providers/node';
import { quantizedVectors } from '@vizprompt/providers/quantized';
import {
  bigramAnalyzer,
  HybridBackend,
  SegmentBackend,
  SqliteFtsBackend,
  VectorBackend,
  type SearchBackend,
} from '@vizprompt/rag';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findWords } from '../../../providers/test/support/find-words.ts';

const WORDS = ['zyzzyvaword', '蜜柑畑の秘密', 'quokka-4711', 'titleword', 'tagword', 'pathword'];
const TEXT = `# ${WORDS[3]}\n\nThe ${WORDS[0]} is "${WORDS[2]}".\n\n${WORDS[1]}は北にある。\n`;
const OTHER = '# Other\n\nstays here, 残るもの。\n';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vizprompt-rag-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

type Open = (folder: string) => Promise<SearchBackend>;
const segment: Open = (folder) =>
  SegmentBackend.open({
    folder: join(folder, 'index'),
    analyzer: bigramAnalyzer(),
    mayFork: false,
  });

const BACKENDS: Readonly<Record<string, Open>> = {
  SegmentBackend: segment,
  SqliteFtsBackend: (folder) =>
    SqliteFtsBackend.open({
      database: databaseIn(folder),
      analyzer: bigramAnalyzer(),
    }),
  VectorBackend: (folder) => {
    const database = databaseIn(folder);
    return VectorBackend.open({
      database,
      store: quantizedVectors({ database, dimensions: 32 }),
      embeddings: hashEmbeddings({ dimensions: 32 }),
      context: { id: 'c', write: (chunk) => Promise.resolve(`about ${chunk.content}`) },
    });
  },
  HybridBackend: async (folder) => {
    const database = databaseIn(folder);
    return HybridBackend.open({
      keyword: await segment(folder),
      database,
      store: quantizedVectors({ database, dimensions: 32 }),
      embeddings: hashEmbeddings({ dimensions: 32 }),
    });
  },
};

function databaseIn(folder: string): ReturnType<typeof sqliteDatabase> {
  const database = sqliteDatabase({ path: join(folder, 'app.db') });
  onTestFinished(() => database.close());
  return database;
}

const of = (filePath: string, text: string) => ({
  novelId: 'n',
  filePath,
  text,
  tags: filePath.includes('pathword') ? ['tagword'] : [],
});

describe.each(Object.entries(BACKENDS))('%s after compact', (_, open) => {
  it.each([
    [
      'one document of one segment',
      async (backend: SearchBackend) => {
        await backend.updateFile(of('pathword.md', TEXT));
        await backend.removeByFile({ novelId: 'n', filePath: 'pathword.md' });
      },
    ],
    [
      'one document among others',
      async (backend: SearchBackend) => {
        for (let at = 0; at < 12; at++) await backend.updateFile(of(`a${at}.md`, OTHER + at));
        await backend.updateFile(of('pathword.md', TEXT));
        await backend.compact();
        await backend.removeByFile({ novelId: 'n', filePath: 'pathword.md' });
      },
    ],
    [
      'a document that was replaced',
      async (backend: SearchBackend) => {
        await backend.updateFile(of('a0.md', TEXT));
        await backend.updateFile(of('a0.md', OTHER));
      },
    ],
    [
      'all documents, one by one',
      async (backend: SearchBackend) => {
        for (let at = 0; at < 5; at++) await backend.updateFile(of(`pathword${at}.md`, TEXT));
        for (let at = 0; at < 5; at++)
          await backend.removeByFile({ novelId: 'n', filePath: `pathword${at}.md` });
      },
    ],
  ])('holds no byte of %s', async (__, change) => {
    const folder = temporaryFolder();
    const backend = await open(folder);
    onTestFinished(() => backend.close());
    await change(backend);
    await backend.compact();
    expect(findWords(folder, WORDS)).toEqual([]);
    await backend.updateFile(of('later.md', OTHER));
    expect((await backend.search('残るもの')).total).toBeGreaterThan(0);
  });
});

it('finds what is there before it is compacted', async () => {
  for (const [name, open] of Object.entries(BACKENDS)) {
    const folder = temporaryFolder();
    await using backend = await open(folder);
    await backend.updateFile(of('pathword.md', TEXT));
    await backend.removeByFile({ novelId: 'n', filePath: 'pathword.md' });
    expect([name, findWords(folder, WORDS).length > 0]).toEqual([name, true]);
  }
});
