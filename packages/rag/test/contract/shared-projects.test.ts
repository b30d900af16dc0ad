import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Storage } from '@vizprompt/providers';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  inMemory,
  onPostgres,
  type StorageSubject,
} from '../../../providers/test/support/subjects.ts';
import { loadRagConfig, NovelService, type RagConfig } from '../../src/index.ts';
import { scriptAnalyzer, temporaryFolder } from '../support/search-index.ts';

const PROJECT = '灯台';

/** A folder of projects, as it is on one machine. */
async function machine(): Promise<{ readonly root: string; readonly config: RagConfig }> {
  const root = temporaryFolder();
  mkdirSync(join(root, PROJECT, 'contents'), { recursive: true });
  writeFileSync(join(root, PROJECT, 'DIALOGOI.md'), '# 指示\n');
  writeFileSync(join(root, PROJECT, 'contents', '01.md'), '灯台の朝\n');
  return { root, config: await loadRagConfig({ projectRoot: root, env: {}, cwd: root }) };
}

async function serve(config: RagConfig, storage: Storage): Promise<NovelService> {
  const novels = await NovelService.open({
    config,
    storage,
    analyzer: scriptAnalyzer(),
    watch: false,
  });
  onTestFinished(() => novels.close());
  return novels;
}

const storages: Record<string, () => Promise<StorageSubject>> = {
  PostgreSQL: onPostgres,
  'a storage in memory': inMemory,
};

describe.each(Object.entries(storages))('projects on %s', (_, open) => {
  it('machines with the same files share one index, and each finds what another has written', async () => {
    const subject = await open();
    onTestFinished(() => subject.close());
    const [first, second] = [await machine(), await machine()];
    const one = await serve(first.config, subject.storage);
    const other = await serve(second.config, await subject.reopen());
    const [a, b] = await Promise.all([one.index(PROJECT), other.index(PROJECT)]);
    expect([a.failed, b.failed]).toEqual([0, 0]);
    expect((await one.search(PROJECT, '灯台')).total).toBe(1);
    expect((await other.search(PROJECT, '灯台')).total).toBe(1);

    await one.add(PROJECT, 'contents', '02.md', '嵐の夜\n');
    cpSync(first.root, second.root, { recursive: true });
    expect((await one.search(PROJECT, '嵐')).total).toBe(1);
    expect((await other.search(PROJECT, '嵐')).total).toBe(1);
    const rows = await subject.storage.cache.query<{ novel: string; path: string }>(
      'SELECT novel, path FROM chunks_document ORDER BY path',
    );
    expect(rows.map(({ path }) => path)).toEqual([
      'DIALOGOI.md',
      'contents/01.md',
      'contents/02.md',
    ]);
  });
});

it('the settings name the server, and it is asked for where it is missing', async () => {
  const root = temporaryFolder();
  const load = (args: readonly string[]): Promise<RagConfig> =>
    loadRagConfig({ args: [...args], env: {}, cwd: root });
  await expect(load(['--backend', 'postgres'])).rejects.toThrow(/'database'.*--database/);
  await expect(load(['--backend=postgres', '--database=mysql://x'])).rejects.toThrow(/PostgreSQL/);
  const database = 'postgres://app@db.example/novels';
  expect(await load(['--backend=postgres', `--database=${database}`])).toMatchObject({
    backend: 'postgres',
    database,
  });
});

it('a settings file that names a server elsewhere needs consent', async () => {
  const root = temporaryFolder();
  mkdirSync(join(root, 'config'));
  const file = join(root, 'config/dialogoi.config.json');
  const settings = { backend: 'postgres', database: 'postgres://app@db.example/novels' };
  writeFileSync(file, JSON.stringify(settings));
  const load = (trust: boolean): Promise<RagConfig> => loadRagConfig({ env: {}, cwd: root, trust });
  await expect(load(false)).rejects.toMatchObject({ code: 'untrusted' });
  expect(await load(true)).toMatchObject(settings);
  writeFileSync(file, JSON.stringify({ ...settings, database: 'postgres://app@127.0.0.1/novels' }));
  expect(await load(false)).toMatchObject({ backend: 'postgres' });
});
