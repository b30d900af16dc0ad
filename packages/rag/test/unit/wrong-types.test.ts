import { sqliteDatabase } from '@vizprompt/providers/node';
import { hashEmbeddings } from '@vizprompt/providers/testing';
import { quantizedVectors } from '@vizprompt/providers/quantized';
import { expect, it, onTestFinished } from 'vitest';
import {
  AutoChunkingStrategy,
  compactAnalyzer,
  evaluate,
  HybridBackend,
  IndexerManager,
  KeywordFlexBackend,
  loadRagConfig,
  NovelService,
  ProjectIndexer,
  RagError,
  retriever,
  SegmentBackend,
  segmenterAnalyzer,
  SqliteFtsBackend,
  VectorBackend,
} from '../../src/index.ts';
import { createNovelMcpServer, serveNovelHttp, serveNovelStdio } from '../../src/mcp/index.ts';
import { BACKENDS } from '../support/backends.ts';
import { NOVEL, openService } from '../support/novel-service.ts';
import { temporaryFolder } from '../support/search-index.ts';
import { FileOperationsService } from '../../src/files/file-operations-service.ts';

/** Arguments as plain JavaScript passes them. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- they are wrong on purpose
const loose = (value: unknown): never => value as never;

const NOTHING: readonly unknown[] = [undefined, null, 0, '', 'text', true, [], {}, () => 1];

/** Returns the error that refuses a call. */
async function refusalOf(call: () => unknown): Promise<RagError> {
  try {
    await call();
  } catch (error) {
    if (RagError.isInstance(error)) return error;
    throw error;
  }
  throw new Error(`it was not refused: ${String(call)}`);
}

it('options that are mistyped are refused by name, with the one that is near', async () => {
  const analyzer = segmenterAnalyzer();
  const { service } = await openService({ 灯台: NOVEL });
  const backend = await KeywordFlexBackend.open({ analyzer });
  const folder = temporaryFolder();
  const config = await loadRagConfig({ cwd: folder, env: {} });
  const database = sqliteDatabase({ path: ':memory:' });
  onTestFinished(() => database.close());
  const store = quantizedVectors({ database, dimensions: 8 });
  const embeddings = hashEmbeddings({ dimensions: 8 });
  const vectors = { database, store, embeddings };
  const indexer = await ProjectIndexer.open({ project: 'a', folder, analyzer });
  onTestFinished(() => indexer.close());
  const document = { novelId: 'a', filePath: 'a.md', text: 'a' };
  const attempts: readonly (readonly [string, () => unknown])[] = [
    [
      "NovelService.open has no option 'confg': is 'config' meant?",
      () => NovelService.open(loose({ confg: config })),
    ],
    [
      "'usePoling': is 'usePolling' meant?",
      () => NovelService.open(loose({ config, usePoling: true })),
    ],
    [
      "search has no option 'maxHits': there are area, files",
      () => service.search('灯台', '灯', loose({ maxHits: 3 })),
    ],
    [
      "search has no option 'tag': is 'tags' meant?",
      () => service.search('灯台', '灯', loose({ tag: ['a'] })),
    ],
    [
      "read has no option 'startline': is 'startLine' meant?",
      () => service.read('灯台', 'settings', loose({ startline: 1 })),
    ],
    ["list has no option 'k'", () => service.list('灯台', 'settings', loose({ k: 1 }))],
    [
      "add has no option 'overwrit'",
      () => service.add('灯台', 'settings', 'a.md', 'a', loose({ overwrit: true })),
    ],
    [
      "search has no option 'topK': is 'limit' meant?",
      () => backend.search('灯', loose({ topK: 3 })),
    ],
    [
      "'filter' of search has no option 'project': is 'projects' meant?",
      () => backend.search('灯', { filter: loose({ project: ['a'] }) }),
    ],
    [
      "'expand' of search has no option 'befor'",
      () => backend.search('灯', { expand: loose({ befor: 1 }) }),
    ],
    ["updateFile has no option 'abort'", () => backend.updateFile(document, loose({ abort: 1 }))],
    [
      "SegmentBackend.open has no option 'path'",
      () => SegmentBackend.open(loose({ path: folder })),
    ],
    [
      "SqliteFtsBackend.open has no option 'db'",
      () => SqliteFtsBackend.open(loose({ db: database })),
    ],
    [
      'expected a Database, such as sqliteDatabase() or the database of postgresStorage()',
      () => SqliteFtsBackend.open(loose({ database: { database } })),
    ],
    [
      "KeywordFlexBackend.open has no option 'analyser': is 'analyzer' meant?",
      () => KeywordFlexBackend.open(loose({ analyser: analyzer })),
    ],
    [
      "VectorBackend.open has no option 'embedding': is 'embeddings' meant?",
      () => VectorBackend.open(loose({ database, store, embedding: embeddings })),
    ],
    [
      "HybridBackend.open has no option 'reranker': is 'rerank' meant?",
      () => HybridBackend.open(loose({ keyword: backend, ...vectors, reranker: {} })),
    ],
    [
      "'fusion' of HybridBackend.open has no option 'instore': is 'inStore' meant?",
      () => HybridBackend.open({ keyword: backend, ...vectors, fusion: loose({ instore: true }) }),
    ],
    [
      "ProjectIndexer.open has no option 'novelId'",
      () => ProjectIndexer.open(loose({ novelId: 'a', folder })),
    ],
    ["search has no option 'area'", () => indexer.search('灯', loose({ area: 'settings' }))],
    ["watch has no option 'debounceMs'", () => indexer.watch(loose({ debounceMs: 1 }))],
    [
      "IndexerManager has no option 'idle'",
      () => new IndexerManager(loose({ open: () => 1, idle: 1 })),
    ],
    ["loadRagConfig has no option 'root'", () => loadRagConfig(loose({ root: 'novels' }))],
    [
      "serveNovelHttp has no option 'hostname'",
      () => serveNovelHttp(service, loose({ hostname: 'a' })),
    ],
    [
      "serveNovelStdio has no option 'stdin'",
      () => serveNovelStdio(service, loose({ stdin: process.stdin })),
    ],
    [
      "createNovelMcpServer has no option 'title'",
      () => createNovelMcpServer(service, loose({ title: 'a' })),
    ],
    ["retriever has no option 'k'", () => retriever(backend, loose({ k: 1 }))],
    [
      "evaluate has no option 'K'",
      () => evaluate(backend, [{ question: 'a', relevant: ['a'] }], loose({ K: 3 })),
    ],
    [
      "a chunking strategy has no option 'maxToken': is 'maxTokens' meant?",
      () => new AutoChunkingStrategy(loose({ maxToken: 100 })),
    ],
    ["compactAnalyzer has no option 'cache'", () => compactAnalyzer(loose({ cache: folder }))],
  ];
  for (const [message, attempt] of attempts) {
    const error = await refusalOf(attempt);
    expect(error.code).toBe('invalid-input');
    expect(error.message).toContain(message);
  }
});

it('arguments of another type are refused, with their names and what they must be', async () => {
  const analyzer = segmenterAnalyzer();
  const { service } = await openService({ 灯台: NOVEL });
  const backend = await KeywordFlexBackend.open({ analyzer });
  const folder = temporaryFolder();
  const promised = loadRagConfig({ cwd: folder, env: {} });
  const config = await promised;
  const attempts: readonly (readonly [string, () => unknown])[] = [
    [
      "the option 'config' of NovelService.open: expected the settings that loadRagConfig() gives, got undefined",
      () => NovelService.open(loose({})),
    ],
    ['got a promise: await it', () => NovelService.open(loose({ config: promised }))],
    [
      "'analyzer' of NovelService.open: expected an analyser, such as segmenterAnalyzer(), got a function",
      () => NovelService.open(loose({ config, analyzer: segmenterAnalyzer })),
    ],
    [
      '\'watch\' of NovelService.open: expected true or false, got "no"',
      () => NovelService.open(loose({ config, watch: 'no' })),
    ],
    [
      'the project id: expected a string, got undefined',
      () => service.search(loose(undefined), '灯'),
    ],
    ['the query: expected a string, got undefined', () => service.search('灯台', loose(undefined))],
    [
      "the option 'area' of search: expected 'settings' or 'contents', got \"content\"",
      () => service.search('灯台', '灯', { area: loose('content') }),
    ],
    [
      '\'files\' of search: expected an array of strings, got "a.md"',
      () => service.search('灯台', '灯', loose({ files: 'a.md' })),
    ],
    [
      "'signal' of search: expected an AbortSignal",
      () => service.search('灯台', '灯', loose({ signal: new AbortController() })),
    ],
    [
      "the area: expected 'settings' or 'contents' or 'instructions', got undefined",
      () => service.read('灯台', loose(undefined)),
    ],
    [
      "the option 'file' of read: expected a string, got 3",
      () => service.read('灯台', 'settings', loose({ file: 3 })),
    ],
    [
      'the content: expected a string, got undefined',
      () => service.add('灯台', 'settings', 'a.md', loose(undefined)),
    ],
    [
      "'overwrite' of add: expected true or false",
      () => service.add('灯台', 'settings', 'a.md', 'a', loose({ overwrite: 'false' })),
    ],
    ['the options of search: expected an object, got 5', () => backend.search('灯', loose(5))],
    ['a document: expected an object, got undefined', () => backend.updateFile(loose(undefined))],
    ['add takes an array or another iterable, not undefined', () => backend.add(loose(undefined))],
    ['a chunk: expected a Chunk', () => backend.add(loose([undefined]))],
    [
      'filePath of a document: expected a string',
      () => backend.removeByFile(loose({ novelId: 'a' })),
    ],
    [
      "'keyword' of HybridBackend.open: expected a search backend, got undefined",
      () => HybridBackend.open(loose({})),
    ],
    ["'database' of VectorBackend.open: expected a Database", () => VectorBackend.open(loose({}))],
    [
      "'folder' of SegmentBackend.open: expected the path of a folder",
      () => SegmentBackend.open(loose({ folder: 1 })),
    ],
    [
      "'project' of ProjectIndexer.open: expected a string",
      () => ProjectIndexer.open(loose({ folder })),
    ],
    ["'open' of IndexerManager: expected a function", () => new IndexerManager(loose({}))],
    ['the service: expected a NovelService', () => createNovelMcpServer(loose({ config }))],
  ];
  for (const [message, attempt] of attempts) {
    const error = await refusalOf(attempt);
    expect(error.code).toBe('invalid-input');
    expect(error.message).toContain(message);
  }
});

it('whatever is passed, what is refused has a code', async () => {
  const { service } = await openService({ 灯台: NOVEL });
  const backend = await KeywordFlexBackend.open({ analyzer: segmenterAnalyzer() });
  const files = await FileOperationsService.open({ root: temporaryFolder() });
  const calls: readonly ((value: never) => unknown)[] = [
    NovelService.open,
    ProjectIndexer.open,
    SegmentBackend.open,
    SqliteFtsBackend.open,
    VectorBackend.open,
    HybridBackend.open,
    FileOperationsService.open,
    (value) => new IndexerManager(value),
    (value) => retriever(value),
    (value) => evaluate(value, value, value),
    (value) => service.search(value, value, value),
    (value) => service.read(value, value, value),
    (value) => service.list(value, value, value),
    (value) => service.add(value, value, value, value, value),
    (value) => service.getProject(value),
    (value) => backend.search(value, value),
    (value) => backend.add(value, value),
    (value) => backend.updateFile(value, value),
    (value) => backend.updateFiles(value, value, value),
    (value) => backend.updateChunks(value, value, value),
    (value) => backend.removeByFile(value),
    (value) => files.readFile(value),
    (value) => files.writeFile(value, value, value),
    (value) => files.listFiles(value, value),
    (value) => files.projectFolder(value),
    (value) => createNovelMcpServer(value, value),
  ];
  const bare: string[] = [];
  for (const [at, call] of calls.entries()) {
    for (const value of NOTHING) {
      try {
        await call(loose(value));
      } catch (error) {
        if (!RagError.isInstance(error))
          bare.push(`call ${at} with ${String(value)}: ${String(error)}`);
      }
    }
  }
  expect(bare).toEqual([]);
});

it.each(Object.entries(BACKENDS))(
  '%s rejects wrong options of compact, and never throws',
  async (_, open) => {
    const backend = await open(segmenterAnalyzer());
    onTestFinished(() => backend.close());
    const compacted: unknown = backend.compact(loose({ sinal: 1 }));
    expect(compacted).toBeInstanceOf(Promise);
    await expect(compacted).rejects.toThrow('sinal');
  },
);
