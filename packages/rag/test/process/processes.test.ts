import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { SourceDocument } from '../../src/chunk/chunking-strategy.ts';
import {
  IndexingError,
  SegmentBackend,
  segmenterAnalyzer,
  type Analyzer,
} from '../../src/index.ts';
import { Acknowledged, isOpen, kill, startChild, type WriterMessage } from '../support/children.ts';
import { openBackend, paragraphs, temporaryFolder } from '../support/search-index.ts';

const document = { novelId: '灯台', filePath: 'a.md', text: '灯台の朝\n\n嵐の夜' };

/** Returns the real analyser, and how often it was asked in this process. */
function countedAnalyzer(): { analyzer: Analyzer; count: { calls: number } } {
  const count = { calls: 0 };
  const analyzer = segmenterAnalyzer();
  const words: Analyzer['words'] = (text) => {
    count.calls++;
    return analyzer.words(text);
  };
  return { analyzer: { ...analyzer, words }, count };
}

/** Returns a novel of about this many documents of 20,000 characters. */
function novel(documents: number): readonly SourceDocument[] {
  const line = 'The keeper of the lighthouse looked at the sea while the storm went on.\n';
  return Array.from({ length: documents }, (_, at) => {
    const scene = `灯台守の娘は、嵐の夜${at}に海を見ていた。\n${line.repeat(9)}\n`;
    return { novelId: '灯台', filePath: `${at}.md`, text: `第${at}章\n\n${scene.repeat(30)}` };
  });
}

/** Returns the processes that a process of ours started to index. */
async function indexersOf(parent: number | undefined): Promise<readonly number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid=,args=']);
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, ppid, ...args]) => Number(ppid) === parent && args.join(' ').includes('indexer.js'))
    .map(([pid]) => Number(pid));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  await expect.poll(isTrue, { interval: 20 }).toBe(true);
}

it('processes that read see what another one wrote, without opening the index again', async () => {
  const folder = temporaryFolder();
  const readers = [startChild('read-index', [folder]), startChild('read-index', [folder])];
  await Promise.all(readers.map(isOpen));
  const ask = (query: string): Promise<unknown[]> =>
    Promise.all(
      readers.map(async (reader) => {
        const answer = once(reader, 'message');
        reader.send(query);
        return ((await answer) as unknown[])[0];
      }),
    );
  const backend = await openBackend({ folder, analyzer: segmenterAnalyzer() });
  expect(await ask('嵐')).toEqual([[], []]);
  for (let round = 0; round < 10; round++) {
    await backend.updateFile({ ...document, text: `嵐 ${round}` });
    if (round % 5 === 4) await backend.compact();
    expect(await ask('嵐')).toEqual([[`嵐 ${round}`], [`嵐 ${round}`]]);
  }
  await backend.removeByFile(document);
  expect(await ask('嵐')).toEqual([[], []]);
});

it('processes that write one after the other lose nothing of each other', async () => {
  const folder = temporaryFolder();
  const writers = ['a', 'b'].map((name) => {
    const acknowledged = new Acknowledged();
    const child = startChild('write-index', [folder, name, '0', '12']);
    child.on('message', (message: WriterMessage) => acknowledged.hear(message));
    return { child, acknowledged };
  });
  const codes = await Promise.all(
    writers.map(async ({ child }) => ((await once(child, 'exit')) as unknown[])[0]),
  );
  expect(codes).toEqual([0, 0]);
  const documents = writers.flatMap(({ acknowledged }) => acknowledged.states()[0] ?? []);
  const analyzer = segmenterAnalyzer();
  const backend = await openBackend({ folder, analyzer });
  const fresh = await openBackend({ analyzer });
  await fresh.index(documents);
  for (const query of ['灯台', '嵐の猫', '"海の手紙"', 'new']) {
    const { hits } = await backend.search(query, { k: 30 });
    expect(hits).toEqual((await fresh.search(query, { k: 30 })).hits);
  }
  expect((await backend.stats()).chunks).toBe((await fresh.stats()).chunks);
  expect(writers.map(({ acknowledged }) => acknowledged.count)).toEqual([12, 12]);
});

it('a write that waits too long for another process says so, and continues when it is gone', async () => {
  const folder = temporaryFolder();
  const backend = await openBackend({ folder, lockTimeoutMs: 200 });
  await backend.updateFile(document);
  const holder = startChild('hold-index', [folder]);
  await isOpen(holder);
  const changed = { ...document, text: '凪の夜' };
  const error = await backend.updateFile(changed).catch((reason: unknown) => reason);
  expect(IndexingError.isInstance(error)).toBe(true);
  expect(error).toMatchObject({ code: 'index-locked', message: expect.stringContaining('200 ms') });
  await expect(backend.compact()).rejects.toMatchObject({ code: 'index-locked' });
  expect((await backend.search('嵐')).total).toBe(1);
  await kill(holder);
  await until(() =>
    backend.updateFile(changed).then(
      () => true,
      () => false,
    ),
  );
  expect((await backend.search('嵐')).total).toBe(0);
});

it('a first build in another process can be searched meanwhile, stopped, and continued', async () => {
  const { analyzer, count } = countedAnalyzer();
  const backend = await openBackend({ analyzer });
  const documents = novel(130);
  const stop = new AbortController();
  const meanwhile = { hits: 0, calls: 0 };
  async function* watched(): AsyncGenerator<SourceDocument> {
    for (const [at, one] of documents.entries()) {
      // The sent documents are analyzed by now, and a segment of them is full.
      if (at === documents.length - 1) {
        meanwhile.calls = count.calls;
        meanwhile.hits = (await backend.search('灯台守の娘')).hits.length;
        stop.abort(new Error('enough'));
      }
      yield one;
    }
  }
  await expect(backend.index(watched(), { signal: stop.signal })).rejects.toThrow('enough');
  expect(meanwhile).toEqual({ hits: 10, calls: 0 });
  await until(async () => (await indexersOf(process.pid)).length === 0);

  const report = await backend.index(documents);
  expect(report.unchanged).toBeGreaterThan(50);
  expect(report.indexed).toBe(documents.length - report.unchanged);
  expect(report.indexed).toBeGreaterThan(1);
  expect(backend.documents()).toHaveLength(documents.length);
  const chunks = await Promise.all(documents.map((one) => paragraphs.chunk(one)));
  expect((await backend.stats()).chunks).toBe(chunks.flat().length);
  expect(await backend.index(documents)).toEqual({ indexed: 0, unchanged: documents.length });
});

it.skipIf(process.platform === 'win32')(
  'the death of the process that indexes is an error, and the next run continues',
  async () => {
    const backend = await openBackend({ analyzer: segmenterAnalyzer() });
    const documents = novel(30);
    async function* murderous(): AsyncGenerator<SourceDocument> {
      for (const [at, one] of documents.entries()) {
        if (at === documents.length - 1) {
          for (const pid of await indexersOf(process.pid)) process.kill(pid, 'SIGKILL');
        }
        yield one;
      }
    }
    const error = await backend.index(murderous()).catch((reason: unknown) => reason);
    expect(IndexingError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ code: 'indexing-failed' });
    expect((await backend.search('嵐')).total).toBe(0);
    await backend.index(documents);
    expect(backend.documents()).toHaveLength(documents.length);
  },
);

it('an analyser that is another one in the process that indexes is an error', async () => {
  const analyzer: Analyzer = { ...segmenterAnalyzer(), spec: { kind: 'bigram' } };
  const backend = await openBackend({ analyzer });
  await expect(backend.index(novel(15))).rejects.toMatchObject({
    name: 'IndexingError',
    message: expect.stringContaining(analyzer.id),
  });
  expect((await backend.stats()).chunks).toBe(0);
});

it.skipIf(process.platform === 'win32')(
  'the process that indexes ends quietly when its host dies',
  async () => {
    const folder = temporaryFolder();
    const host = startChild('build-index', [folder], 'pipe');
    let said = '';
    host.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
    await isOpen(host);
    const [indexer = 0, ...others] = await indexersOf(host.pid);
    expect(indexer).toBeGreaterThan(0);
    expect(others).toEqual([]);
    // Both have it open: it ends when the second of them has ended.
    const ended = once(host.stderr ?? host, 'close');
    await kill(host);
    await ended;
    await until(() => !isRunning(indexer));
    expect(said).toBe('');
    const backend = await SegmentBackend.open({
      folder,
      analyzer: segmenterAnalyzer(),
      chunking: { id: 'none', chunk: () => Promise.resolve([]) },
    });
    expect(backend.documents().length).toBe((await backend.stats()).documents);
    await backend.close();
  },
);
