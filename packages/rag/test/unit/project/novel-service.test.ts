import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  KeywordFlexBackend,
  loadRagConfig,
  NovelService,
  ProjectIndexer,
  ProjectNotFoundError,
  SegmentBackend,
  segmenterAnalyzer,
  SqliteFtsBackend,
} from '../../../src/index.ts';
import { createLogger } from '@vizprompt/providers';
import { sqliteDatabase } from '@vizprompt/providers/node';
import { startFakeQdrant } from '@vizprompt/providers/testing';
import { temporaryFolder } from '../../support/search-index.ts';
import { NOVEL, openService } from '../../support/novel-service.ts';
import { wordEmbeddings } from '../../support/word-embeddings.ts';
import type { NovelEvents } from '../../../src/events.ts';

describe('projects', () => {
  it.each(['--flex-profile=memory', '--romaji'])(
    'warn of an index that is rebuilt, with %s too',
    async (setting) => {
      const indexFolder = temporaryFolder();
      const warnings: string[] = [];
      const logger = createLogger({
        level: 'warn',
        sinks: [({ message }) => void warnings.push(message)],
      });
      const search = async (): Promise<void> => {
        const { service } = await openService(
          undefined,
          { indexFolder: () => indexFolder, logger, watch: false },
          { args: [setting] },
        );
        expect((await service.search('灯台', '羅針盤')).hits).toHaveLength(1);
        await service.close();
      };
      await search();
      expect(warnings).toEqual([]);
      for (const path of await readdir(indexFolder, { recursive: true })) {
        if (path.endsWith('manifest.json')) await writeFile(join(indexFolder, path), '{');
      }
      await search();
      expect(warnings.join()).toContain('is rebuilt');
    },
  );

  it('give a backend of their own the options that are set only', async () => {
    const keys: string[][] = [];
    for (const args of [[], ['--romaji']]) {
      const { service } = await openService(
        undefined,
        {
          watch: false,
          openBackend: (_folder, cutting) => {
            keys.push(Object.keys(cutting).toSorted());
            return KeywordFlexBackend.open(cutting);
          },
        },
        { args },
      );
      await service.search('灯台', '羅針盤');
    }
    expect(keys).toEqual([
      ['analyzer', 'chunking'],
      ['analyzer', 'chunking', 'romaji'],
    ]);
  });

  it('are the folders of the root that can be named, by their ids', async () => {
    const { service, root } = await openService({ 灯台: NOVEL, 第10作: {}, 第2作: {}, '.git': {} });
    await writeFile(join(root, 'file.md'), '');
    await symlink(join(root, '灯台'), join(root, '別名'));
    await mkdir(join(root, 'a:b'));
    const ids = (await service.listProjects()).map(({ id }) => id);
    expect(ids).toEqual(
      ['第2作', '第10作', '灯台'].toSorted(new Intl.Collator('ja', { numeric: true }).compare),
    );
    expect(await service.getProject('灯台')).toMatchObject({
      id: '灯台',
      title: '灯台守の娘',
      tags: ['海'],
      metadata: JSON.parse(NOVEL['novel.json'] ?? ''),
    });
    const missing: unknown = await service.getProject('灯合').catch((error: unknown) => error);
    expect(ProjectNotFoundError.isInstance(missing)).toBe(true);
    expect(String(missing)).toContain('there are');
  });

  it('whose folder is named in decomposed letters are found, read, searched and written', async () => {
    const { service, root } = await openService({ 灯台: NOVEL });
    const [onDisk, id] = ['ガス灯'.normalize('NFD'), 'ガス灯'.normalize('NFC')];
    await rename(join(root, '灯台'), join(root, onDisk));
    expect((await service.listProjects()).map((project) => project.id)).toEqual([id]);
    await service.add(onDisk, 'settings', '鯨.md', '白い鯨。');
    const { files } = await service.read(id, 'settings', { file: '鯨.md' });
    expect(files[0]?.text).toBe('白い鯨。');
    const { hits } = await service.search(id, '白い鯨', { k: 1 });
    expect(hits[0]).toMatchObject({ novelId: id, payload: { file: 'settings/鯨.md' } });
  });

  it('must be in a folder that exists, which is not created by mistake', async () => {
    const cwd = temporaryFolder();
    const config = await loadRagConfig({ cwd, env: {} });
    const root = join(cwd, 'novels');
    await expect(NovelService.open({ config })).rejects.toMatchObject({
      code: 'file-not-found',
      message: `there is no folder ${root} for the projects: make the folder, or name another one as projectRoot (--project-root)`,
    });
    expect(existsSync(root)).toBe(false);
    await writeFile(root, 'x');
    await expect(NovelService.open({ config })).rejects.toMatchObject({
      code: 'path-invalid',
      message: `${root} is not a folder of projects: make the folder, or name another one as projectRoot (--project-root)`,
    });
    const folder = join(root, '灯台');
    await expect(ProjectIndexer.open({ project: '灯台', folder })).rejects.toThrow(
      /there is no folder/,
    );
    await expect(ProjectIndexer.open({ project: '灯台', folder: root })).rejects.toThrow(
      /is no folder/,
    );
    const analyzer = segmenterAnalyzer();
    for (const index of [root, join(root, 'index')]) {
      await expect(SegmentBackend.open({ folder: index, analyzer })).rejects.toMatchObject({
        code: 'indexing-failed',
        message: expect.stringContaining(`no index can be made in ${index}`),
      });
    }
  });

  it('are made by hand: a root may be empty', async () => {
    const cwd = temporaryFolder();
    const config = await loadRagConfig({ cwd, env: {} });
    await mkdir(join(cwd, 'novels'));
    await using service = await NovelService.open({ config, analyzer: segmenterAnalyzer() });
    expect(await service.listProjects()).toEqual([]);
    await expect(service.search('灯台', 'x')).rejects.toThrow(
      /there is no project '灯台': there are none/,
    );
    await expect(service.add('灯台', 'settings', 'a.md', 'x')).rejects.toThrow(
      /there is no project/,
    );
    await mkdir(join(cwd, 'novels/灯台'));
    await service.add('灯台', 'settings', 'a.md', '# 鍵');
    expect((await service.search('灯台', '鍵')).total).toBe(1);
  });
});

describe('the service', () => {
  it('finds what others write, watched or not', async () => {
    const indexed = async (watch: boolean): Promise<void> => {
      const { service, root } = await openService({ 灯台: NOVEL }, { watch });
      expect((await service.search('灯台', '烏賊')).total).toBe(0);
      await writeFile(join(root, '灯台/contents/第3章.md'), '烏賊が光った。');
      const find = async (): Promise<number> => (await service.search('灯台', '烏賊')).total;
      await expect.poll(find, watch ? { interval: 50 } : { timeout: 0 }).toBe(1);
    };
    await indexed(true);
    await indexed(false);
  });

  it('reports progress and written files', async () => {
    const told: NovelEvents['project:progress'][] = [];
    const written: NovelEvents['file:written'][] = [];
    const on = {
      'project:progress': (event: NovelEvents['project:progress']) => told.push(event),
      'file:written': (event: NovelEvents['file:written']) => written.push(event),
    };
    const { service } = await openService({ 灯台: NOVEL }, { on });
    await service.search('灯台', '嵐');
    expect(told[0]).toEqual({ novelId: '灯台', done: 0, total: 6 });
    expect(told.at(-1)).toEqual({ novelId: '灯台', done: 6, total: 6 });
    await service.add('灯台', 'contents', 'b.md', 'x');
    expect(written).toEqual([{ novelId: '灯台', path: 'contents/b.md', created: true }]);
  });

  it('reports each time the files that cannot be searched, also those found long ago', async () => {
    const { service, root } = await openService({ 灯台: NOVEL });
    await writeFile(join(root, '灯台/contents/sjis.md'), Buffer.from([0x93, 0x94, 0x91, 0xe4]));
    const [first, second]: [string[], string[]] = [[], []];
    const tell = (told: string[]) => (event: NovelEvents['file:failed']) =>
      told.push(`${event.novelId} ${event.path} ${event.error.message}`);
    service.events.on('file:failed', tell(first));
    await service.search('灯台', '嵐');
    await service.search('灯台', '嵐');
    const expected = [
      '灯台 contents/sjis.md contents/sjis.md cannot be indexed: it is no UTF-8: save it as UTF-8',
    ];
    expect(first).toEqual(expected);
    await service.close();
    const config = await loadRagConfig({ projectRoot: root, env: {} });
    const on = { 'file:failed': tell(second) };
    await using again = await NovelService.open({ config, analyzer: segmenterAnalyzer(), on });
    await again.search('灯台', '嵐');
    expect(second).toEqual(expected);
    await writeFile(join(root, '灯台/contents/sjis.md'), '直した。');
    const find = async (): Promise<number> => (await again.search('灯台', '直した')).total;
    await expect.poll(find, { interval: 50 }).toBe(1);
    expect(second).toEqual(expected);
  });

  it('indexes at call, reports the result, and watches until the signal aborts', async () => {
    const changes: string[] = [];
    const { service, root } = await openService({ 灯台: NOVEL }, { watch: false });
    service.events.on('file:indexed', ({ path }) => changes.push(`+ ${path}`));
    service.events.on('file:removed', ({ path }) => changes.push(`- ${path}`));
    await writeFile(join(root, '灯台/contents/sjis.md'), Buffer.from([0x93, 0x94, 0x91, 0xe4]));
    expect(await service.index('灯台')).toEqual({
      indexed: 6,
      removed: 0,
      unchanged: 0,
      failed: 1,
    });
    expect(await service.index('灯台')).toMatchObject({ indexed: 0, unchanged: 6, failed: 1 });
    await expect(service.index('灯台', { signal: AbortSignal.abort('no') })).rejects.toBe('no');
    await expect(service.index('無い')).rejects.toMatchObject({ code: 'project-not-found' });

    const controller = new AbortController();
    changes.length = 0;
    const watching = service.watch('灯台', { signal: controller.signal });
    await writeFile(join(root, '灯台/contents/新.md'), '針は南を指した。');
    await rm(join(root, '灯台/contents/第2章.txt'));
    const seen = (): readonly string[] => changes.toSorted();
    await expect.poll(seen).toEqual(['+ contents/新.md', '- contents/第2章.txt']);
    controller.abort();
    await watching;
    const others = service.watch('灯台');
    await service.close();
    await expect(others.catch(() => 'ended')).resolves.toBeOneOf([undefined, 'ended']);
  });

  it.each([true, false])('reports what indexing did, with watch: %s', async (watch) => {
    const { service, root } = await openService({ 灯台: NOVEL, 第2作: NOVEL }, { watch });
    const done = { indexed: 6, removed: 0, unchanged: 0, failed: 0 };
    expect(await Promise.all([service.index('灯台'), service.index('第2作')])).toEqual([
      done,
      done,
    ]);
    expect(await service.index('灯台')).toEqual({ ...done, indexed: 0, unchanged: 6 });
    await service.close();
    await rm(join(root, '灯台/contents/第2章.txt'));
    await writeFile(join(root, '灯台/contents/第1章.md'), '針は南を指した。');
    const config = await loadRagConfig({ projectRoot: root, env: {} });
    const analyzer = segmenterAnalyzer();
    await using again = await NovelService.open({ config, analyzer, watch });
    const changed = { indexed: 1, removed: 1, unchanged: 4, failed: 0 };
    expect(await again.index('灯台')).toEqual(changed);
    expect(await again.index('灯台')).toEqual({ ...changed, indexed: 0, removed: 0, unchanged: 5 });
  });

  it('lets go of a search at once when its signal says so, and makes the index for the others', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`contents/${at}.md`, `${at}番目の章。\n`.repeat(20)]),
    );
    const controller = new AbortController();
    const reason = new Error('enough');
    const on = { 'project:progress': () => controller.abort(reason) };
    const { service } = await openService({ 多: files }, { on });
    const { signal } = controller;
    const [given, kept] = await Promise.allSettled([
      service.search('多', '百番目', { signal }),
      service.search('多', '百番目'),
    ]);
    expect(given).toEqual({ status: 'rejected', reason });
    expect(kept).toMatchObject({ status: 'fulfilled', value: { hits: { length: 10 } } });
    await expect(service.search('多', '百', { signal })).rejects.toBe(reason);
  });

  it('searches an area, some files, and pages up to maxK', async () => {
    const { service } = await openService({ 灯台: NOVEL });
    const files = async (options: object): Promise<readonly string[]> => {
      const { hits } = await service.search('灯台', '灯 島 海', options);
      return [...new Set(hits.map(({ payload }) => payload.file))].toSorted((a, b) =>
        a < b ? -1 : 1,
      );
    };
    expect(await files({ area: 'settings', files: ['世界/**'] })).toEqual(['settings/世界/島.md']);
    expect(await files({ area: 'contents' })).toEqual(['contents/第1章.md', 'contents/第2章.txt']);
    expect(await files({ tags: ['人物'] })).toEqual(['settings/人物.md']);
    expect(await files({ k: 1 })).toHaveLength(1);
    await expect(service.search('灯台', '灯', { k: 51 })).rejects.toThrow(
      /expected at most 50, got 51/,
    );
  });

  it('takes any backend', async () => {
    const memory = await openService(
      { 灯台: NOVEL },
      { openBackend: (_folder, cutting) => KeywordFlexBackend.open(cutting) },
    );
    expect((await memory.service.search('灯台', '祖父の箱')).hits[0]?.payload.file).toBe(
      'contents/第10章.md',
    );
    const database = sqliteDatabase({ path: join(temporaryFolder(), 'a.db') });
    const inDatabase = await openService(
      { 灯台: NOVEL },
      { openBackend: (_folder, cutting) => SqliteFtsBackend.open({ database, ...cutting }) },
    );
    expect((await inDatabase.service.search('灯台', '祖父の箱')).total).toBeGreaterThan(0);
    await inDatabase.service.close();
    await database.close();
  });

  it('searches by words and vectors where the settings say so', async () => {
    await using server = await startFakeQdrant({ apiKey: 'secret' });
    const file = await settingsFile({
      qdrant: { url: server.url },
      embedding: { model: 'test:words', dimensions: 512 },
    });
    const { service } = await openService(
      { 灯台: NOVEL, 第2作: NOVEL },
      { embeddings: wordEmbeddings() },
      { file, env: { DIALOGOI_QDRANT_API_KEY: 'secret' }, trust: true },
    );
    const found = await service.search('灯台', '祖父の箱', { explain: true });
    expect(found.degraded).toBeUndefined();
    expect(found.hits[0]?.payload.file).toBe('contents/第10章.md');
    expect(found.hits[0]?.explanation?.map(({ name }) => name)).toContain('vector');
    await service.search('第2作', '祖父の箱');
    const told: string[] = [];
    for (const name of ['search:degraded', 'vectors:queued', 'vectors:caught-up'] as const) {
      service.events.on(name, ({ novelId }) => told.push(`${name} ${novelId}`));
    }
    server.set('down');
    const poor = await service.search('灯台', '祖父の箱');
    expect([poor.degraded, poor.hits[0]?.payload.file]).toEqual([true, 'contents/第10章.md']);
    expect(told).toEqual(['search:degraded 灯台']);
    await service.add('灯台', 'contents', '第3章.md', '烏賊が光った。');
    await service.search('灯台', '烏賊');
    expect(told).toContain('vectors:queued 灯台');
    server.set('up');
    await expect.poll(() => told).toContain('vectors:caught-up 灯台');
    await service.close();
  });

  it('names a model of the settings that is unknown', async () => {
    const embedding = { model: 'nobody:words', dimensions: 8 };
    const file = await settingsFile({ qdrant: { url: 'http://localhost:6333' }, embedding });
    const { service } = await openService({ 灯台: NOVEL }, {}, { file });
    await expect(service.search('灯台', '箱')).rejects.toThrow(/nobody/);
  });

  it('refuses all calls when it is closed, and may be closed twice', async () => {
    const { service } = await openService({ 灯台: NOVEL });
    await service.search('灯台', '嵐');
    await service.close();
    await service.close();
    const closed = expect.objectContaining({ code: 'closed' });
    await expect(service.search('灯台', '嵐')).rejects.toEqual(closed);
    await expect(async () => service.listProjects()).rejects.toEqual(closed);
  });
});

async function settingsFile(vector: unknown): Promise<string> {
  const file = join(temporaryFolder(), 'dialogoi.config.json');
  await writeFile(file, JSON.stringify({ vector }));
  return file;
}
