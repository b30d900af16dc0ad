import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runs } from '../../../providers/test/support/fuzz.ts';
import type { SourceDocument } from '../../src/chunk/chunking-strategy.ts';
import { IndexingError, SegmentBackend, type Analyzer, type SearchHit } from '../../src/index.ts';
import {
  openBackend,
  paragraphs,
  scriptAnalyzer,
  temporaryFolder,
} from '../support/search-index.ts';

const MANIFEST = 'manifest.json';
const QUERIES = ['灯台', '嵐の猫', '"夜の海"', '/第[0-9]+の鍵/', '*台*', 'よみ:とうだい'];

const documents: readonly SourceDocument[] = Array.from({ length: 40 }, (_, at) => {
  const parts = [`灯台${at}の朝`, `嵐の猫が第${at}の鍵を見た`, `夜の海と${'カモメ'.repeat(at)}`];
  return { novelId: '灯台', filePath: `${at}.md`, text: parts.join('\n\n'), tags: [`章${at}`] };
});

/** Returns an index that was closed: one large segment, and one with an update. */
async function madeIndex(): Promise<string> {
  const folder = temporaryFolder();
  const backend = await openBackend({ folder });
  await backend.index(documents);
  await backend.compact();
  await backend.close();
  return folder;
}

function segmentOf(folder: string): string {
  const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.bin'));
  return join(folder, file);
}

interface Opened {
  readonly backend: SegmentBackend;
  /** Why the index was thrown away. */
  readonly reasons: string[];
}

async function open(folder: string, analyzer: Analyzer = scriptAnalyzer()): Promise<Opened> {
  const reasons: string[] = [];
  const on = { 'index:discarded': ({ reason }: { reason: string }) => void reasons.push(reason) };
  return { backend: await openBackend({ folder, analyzer, on }), reasons };
}

async function answers(backend: SegmentBackend): Promise<readonly (readonly SearchHit[])[]> {
  const all: (readonly SearchHit[])[] = [];
  for (const query of QUERIES) {
    const options = { k: 50, expand: { before: 1, after: 1 } };
    all.push((await backend.search(query, options)).hits);
  }
  return all;
}

/** The answers of an index that is whole; those of two analyzers that differ in their names alone are the same. */
function expected(): Promise<Outcome['found']> {
  return (wholeAnswers ??= answersOfWhole());
}

let wholeAnswers: Promise<Outcome['found']> | undefined;
async function answersOfWhole(): Promise<Outcome['found']> {
  const fresh = await openBackend();
  await fresh.index(documents);
  return answers(fresh);
}

/** The outcome of an index that may be damaged. */
interface Outcome {
  /** True if the host was notified that the index was thrown away. */
  readonly isTold: boolean;
  readonly found: readonly (readonly SearchHit[])[];
  readonly documents: number;
}

async function outcomeOf(folder: string): Promise<Outcome> {
  const { backend, reasons } = await open(folder);
  // A search that meets the damage fails, and so do the next ones, until the folder is scanned.
  const failure = await firstError(backend);
  if (failure !== undefined) {
    await expect(backend.search('灯台')).rejects.toMatchObject({ code: 'index-corrupt' });
    backend.documents();
  }
  const found = await answers(backend);
  const stats = await backend.stats();
  await backend.close();
  if (failure !== undefined && reasons.length !== 1) throw failure;
  return { isTold: reasons.length === 1, found, documents: stats.documents };
}

/** Returns the damage that an answer meets, if any. */
async function firstError(backend: SegmentBackend): Promise<unknown> {
  try {
    await answers(backend);
    await backend.stats();
    return undefined;
  } catch (error) {
    if (!IndexingError.isInstance(error) || error.code !== 'index-corrupt') throw error;
    return error;
  }
}

/** Checks that an index gives the right answer, or none and a word. */
async function expectHonest(folder: string, right: Outcome['found']): Promise<boolean> {
  const { isTold, ...outcome } = await outcomeOf(folder);
  const nothing = right.map(() => []);
  expect(outcome).toEqual(
    isTold ? { found: nothing, documents: 0 } : { found: right, documents: documents.length },
  );
  return isTold;
}

/** After damage that was reported, the documents make the index whole again. */
async function expectMendable(folder: string, right: Outcome['found']): Promise<void> {
  const { backend, reasons } = await open(folder);
  await answers(backend).catch(() => undefined);
  expect(reasons).toHaveLength(1);
  await backend.index(documents);
  expect(await answers(backend)).toEqual(right);
  await backend.close();
  const again = await open(folder);
  expect(await answers(again.backend)).toEqual(right);
  expect(again.reasons).toEqual([]);
}

describe('a damaged segment', () => {
  it('whose bytes flipped anywhere never gives a wrong answer without a word', async () => {
    const right = await expected();
    const folder = await madeIndex();
    const path = segmentOf(folder);
    const whole = readFileSync(path);
    const manifest = readFileSync(join(folder, MANIFEST));
    const count = { all: 0, told: 0 };
    const step = Math.floor(whole.length / runs(20));
    for (let at = 0; at < whole.length; at += at < 24 ? 3 : step) {
      const torn = Buffer.from(whole);
      torn[at] = (torn[at] ?? 0) ^ (1 << (at % 8));
      // A new file, as Windows and caches would have it.
      writeFileSync(`${path}.new`, torn);
      renameSync(`${path}.new`, path);
      count.all++;
      if (await expectHonest(folder, right)) count.told++;
      writeFileSync(join(folder, MANIFEST), manifest);
    }
    // The others are in gaps between sections, or in parts that were not read.
    expect(count.told / count.all).toBeGreaterThan(0.8);
    await expectMendableAt(path, whole, whole.length - 40);
    await expectMendableAt(path, whole, 3000);
    async function expectMendableAt(file: string, bytes: Buffer, at: number): Promise<void> {
      const torn = Buffer.from(bytes);
      torn.fill(0x55, at, at + 30);
      writeFileSync(file, torn);
      writeFileSync(join(folder, MANIFEST), manifest);
      await expectMendable(folder, right);
    }
  });

  it('that ends too early, or is missing, is reported', async () => {
    const right = await expected();
    const folder = await madeIndex();
    const path = segmentOf(folder);
    const whole = readFileSync(path);
    for (const part of [0, 23, 24, 0.5, 0.99]) {
      const length = part < 1 ? Math.floor(part * whole.length) : part;
      writeFileSync(path, whole.subarray(0, length));
      expect(await expectHonest(folder, right)).toBe(true);
    }
    rmSync(path);
    expect(await expectHonest(folder, right)).toBe(true);
    await expectMendable(folder, right);
  });

  it('of another form is reported', async () => {
    const folder = await madeIndex();
    const path = segmentOf(folder);
    const bytes = readFileSync(path);
    for (const form of [0, 1, 999]) {
      bytes.writeUInt32LE(form, 8);
      writeFileSync(path, bytes);
      const { backend, reasons } = await open(folder);
      expect(reasons).toEqual([expect.stringContaining(`its form is ${form}`)]);
      expect((await backend.search('灯台')).total).toBe(0);
      await backend.close();
    }
    await expectMendable(folder, await expected());
  });

  it('fails compacting with a word, and costs no other segment', async () => {
    const folder = await madeIndex();
    const path = segmentOf(folder);
    const { backend, reasons } = await open(folder);
    await backend.updateFile({ novelId: '灯台', filePath: 'new.md', text: '凪' });
    const bytes = readFileSync(path);
    // In the gaps of what is loaded when it is opened there is nothing to find.
    bytes.fill(0x55, bytes.length - 4000);
    writeFileSync(path, bytes);
    await expect(backend.compact()).rejects.toMatchObject({ code: 'index-corrupt' });
    expect(reasons).toHaveLength(1);
    await backend.updateFile({ novelId: '灯台', filePath: 'next.md', text: '凪' });
    expect((await backend.search('凪')).hits.map(({ payload }) => payload.file).toSorted()).toEqual(
      ['new.md', 'next.md'],
    );
    await backend.removeByFile({ novelId: '灯台', filePath: 'new.md' });
    await backend.removeByFile({ novelId: '灯台', filePath: 'next.md' });
    await backend.index(documents);
    await backend.compact();
    expect(await answers(backend)).toEqual(await expected());
  });

  it('costs the documents that it has, and every answer says so', async () => {
    const folder = await madeIndex();
    const path = segmentOf(folder);
    const { backend } = await open(folder);
    await backend.updateFile({ novelId: '灯台', filePath: 'new.md', text: '灯台の凪' });
    await backend.close();
    const bytes = readFileSync(path);
    bytes[1024] = (bytes[1024] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    const { backend: again, reasons } = await open(folder);
    const found = await again.search('灯台');
    expect(found.hits.map(({ payload }) => payload.file)).toEqual(['new.md']);
    expect(found).toMatchObject({ degraded: true, hint: expect.stringMatching('index again') });
    expect((await again.search('ない')).hint).toMatch('The index was damaged');
    expect(reasons).toHaveLength(1);
    expect(again.documents()).toHaveLength(1);
    await again.index(documents);
    expect((await again.search('灯台', { k: 50 })).total).toBe(41);
    expect((await again.search('灯台')).degraded).toBeUndefined();
  });
});

describe('a damaged manifest', () => {
  it('whose bytes flipped anywhere, or that ends too early, is reported', async () => {
    const right = await expected();
    const folder = await madeIndex();
    const path = join(folder, MANIFEST);
    const whole = readFileSync(path);
    for (let at = 0; at < whole.length; at += 23) {
      const torn = Buffer.from(whole);
      torn[at] = (torn[at] ?? 0) ^ 1;
      writeFileSync(path, torn);
      expect(await expectHonest(folder, right)).toBe(true);
    }
    for (const length of [0, 8, whole.length - 1]) {
      writeFileSync(path, whole.subarray(0, length));
      expect(await expectHonest(folder, right)).toBe(true);
    }
    writeFileSync(path, '\0'.repeat(whole.length));
    expect(await expectHonest(folder, right)).toBe(true);
    await expectMendable(folder, right);
  });

  it.each([0, 1, 999])('of the form %i is reported', async (format) => {
    const folder = await madeIndex();
    const path = join(folder, MANIFEST);
    const [, body = ''] = readFileSync(path, 'utf8').split('\n');
    const other = JSON.stringify({ ...JSON.parse(body), format });
    writeFileSync(path, `${crc32(other).toString(16).padStart(8, '0')}\n${other}`);
    const { backend, reasons } = await open(folder);
    expect(reasons).toEqual([expect.stringContaining(`its form is ${format}`)]);
    expect(await backend.search('灯台')).toMatchObject({
      total: 0,
      degraded: true,
      hint: expect.stringMatching(/^The index is from another version .*: index again\.$/),
    });
    await backend.close();
    await expectMendable(folder, await expected());
  });

  it('that is deleted while the index is open is reported by the next search, and by an event', async () => {
    const right = await expected();
    const folder = await madeIndex();
    const { backend, reasons } = await open(folder);
    expect(await answers(backend)).toEqual(right);
    rmSync(folder, { recursive: true });
    const gone = {
      code: 'index-corrupt',
      message: expect.stringContaining('were deleted') as string,
    };
    for (let time = 0; time < 2; time++) {
      await expect(backend.search('灯台')).rejects.toMatchObject(gone);
    }
    expect(reasons).toEqual(['its files were deleted while it was open']);
    expect(backend.documents()).toEqual([]);
    expect((await backend.search('灯台')).total).toBe(0);
    await backend.index(documents);
    expect(await answers(backend)).toEqual(right);
    rmSync(folder, { recursive: true });
    await backend.index(documents);
    expect(await answers(backend)).toEqual(right);
  });

  it('that was deleted makes an empty index', async () => {
    const folder = await madeIndex();
    rmSync(join(folder, MANIFEST));
    const { backend } = await open(folder);
    expect(await backend.index(documents)).toEqual({ indexed: documents.length, unchanged: 0 });
    expect(await answers(backend)).toEqual(await expected());
  });
});

describe('another analyser', () => {
  const other = scriptAnalyzer('script-2');

  it('has the stored text analysed again, and says so', async () => {
    const folder = await madeIndex();
    const { backend, reasons } = await open(folder, other);
    expect(reasons).toEqual([expect.stringMatching(/'script-1', not 'script-2'/)]);
    await backend.ready;
    expect(await answers(backend)).toEqual(await expected());
    expect(await backend.index(documents)).toEqual({ indexed: 0, unchanged: documents.length });
    await backend.close();
    const again = await open(folder, other);
    expect(again.reasons).toEqual([]);
    expect((await again.backend.stats()).analyzer).toBe('script-2');
    expect(readdirSync(folder).filter((file) => file.endsWith('.bin'))).toHaveLength(1);
  });

  it('does not bring back what is changed before the text has been analysed again', async () => {
    const folder = await madeIndex();
    const { backend } = await open(folder, other);
    const [first, second] = documents;
    if (!first || !second) throw new Error('there are no documents');
    const changes = [backend.removeByFile(first), backend.updateFile({ ...second, text: '凪' })];
    await Promise.all(changes);
    await backend.compact();
    expect(backend.documents()).toHaveLength(documents.length - 1);
    expect((await backend.search('/第1の鍵/')).total).toBe(0);
    expect((await backend.search('凪')).total).toBe(1);
  });

  it('continues after a crash in the middle, and loses nothing', async () => {
    const folder = temporaryFolder();
    const before = await openBackend({ folder });
    // Enough for more than one segment.
    const long = Array.from({ length: 44 }, (_, at): SourceDocument => {
      const text = `第${at}の鍵\n\n${at}${'カモメ'.repeat(400)}\n\n`.repeat(20);
      return { novelId: '灯台', filePath: `${at}.md`, text };
    });
    await before.index(long);
    const { chunks } = await before.stats();
    await before.close();

    let budget = chunks - 20;
    const failing: Analyzer = {
      ...other,
      words(text) {
        if (budget-- < 0) throw new Error('the power went');
        return other.words(text);
      },
    };
    const crashed = await open(folder, failing);
    await expect(crashed.backend.ready).rejects.toThrow('the power went');
    const part = await crashed.backend.stats();
    expect(part.chunks).toBeGreaterThan(0);
    expect(part.chunks).toBeLessThan(chunks);
    await crashed.backend.close();

    const { backend, reasons } = await open(folder, other);
    expect(reasons).toEqual([expect.stringMatching(/'script-1', not 'script-2'/)]);
    await backend.ready;
    expect((await backend.stats()).chunks).toBe(chunks);
    expect(backend.documents()).toHaveLength(long.length);
  });

  it('says what it cannot analyse again, as the old index is damaged', async () => {
    const folder = await madeIndex();
    const path = segmentOf(folder);
    const bytes = readFileSync(path);
    bytes.fill(0x55, bytes.length - 5000);
    writeFileSync(path, bytes);
    const { backend, reasons } = await open(folder, other);
    await backend.ready;
    expect(reasons).toHaveLength(2);
    await backend.index(documents);
    expect(await answers(backend)).toEqual(await expected());
  });

  it('takes the index over: a process that has it open keeps searching, is notified, and writes no more', async () => {
    const folder = await madeIndex();
    const right = await expected();
    const first = await open(folder);
    const second = await open(folder, other);
    await second.backend.ready;
    expect(await answers(first.backend)).toEqual(right);
    expect(first.reasons).toEqual([expect.stringContaining("'script-2'")]);
    await expect(first.backend.updateFile({ ...documents[0]!, text: '凪' })).rejects.toMatchObject({
      name: 'IndexingError',
      message: expect.stringContaining("'script-2'"),
    });
    expect(await answers(second.backend)).toEqual(await expected());
    expect(second.reasons).toHaveLength(1);
  });
});

it('what is asked of a closed index is refused, by a promise', async () => {
  const backend = await SegmentBackend.open({
    folder: temporaryFolder(),
    analyzer: scriptAnalyzer(),
    chunking: paragraphs,
  });
  onTestFinished(() => backend.close());
  await backend.close();
  await expect(backend.stats()).rejects.toMatchObject({ code: 'closed' });
  await expect(backend.search('灯台')).rejects.toMatchObject({ code: 'closed' });
  await expect(backend.index([])).rejects.toMatchObject({ code: 'closed' });
  await expect(backend.compact()).rejects.toMatchObject({ code: 'closed' });
});

it('a folder of another program that has a manifest.json is left as it is', async () => {
  const folder = temporaryFolder();
  const path = join(folder, MANIFEST);
  for (const text of ['{ "name": "a web application" }\n', '', 'deadbeef and more']) {
    writeFileSync(path, text);
    await expect(SegmentBackend.open({ folder, analyzer: scriptAnalyzer() })).rejects.toMatchObject(
      {
        code: 'invalid-input',
        message: expect.stringContaining('belongs to another program'),
      },
    );
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(readdirSync(folder)).toEqual([MANIFEST]);
  }
});
