import { randomBytes } from 'node:crypto';
import { VizPrompt } from '@vizprompt/core';
import { copyStorage, type Storage } from '@vizprompt/providers';
import { inMemoryStorage, openStorage } from '@vizprompt/providers/node';
import { postgresStorage } from '@vizprompt/providers/postgres';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { findWordsInSchema } from '../../../providers/test/support/find-words.ts';
import { dropNamespace } from '../../../providers/test/support/subjects.ts';
import { branched } from '../fixtures/chatgpt.ts';
import { storageOnPostgres, temporaryFolder } from '../support/open-project.ts';

const kinds: Record<string, () => Promise<Storage>> = {
  'files and SQLite': async () => openStorage(await temporaryFolder()),
  'in memory': inMemoryStorage,
  PostgreSQL: storageOnPostgres,
};

describe.each(Object.entries(kinds))('a project on %s', (_, open) => {
  it('is the same project', async () => {
    await using storage = await open();
    const vizprompt = await VizPrompt.open({ storage });
    await vizprompt.importConversations([branched().export()]);
    await vizprompt.build();
    const [main] = await vizprompt.listFlows();
    const hits = await vizprompt.searchNodes({ text: '"編集した続き"' });
    expect(hits.map(({ title }) => title)).toEqual(['編集した続き']);
    expect(await vizprompt.searchNodes({ keywords: ['答え', '質問'] })).toEqual([]);
    expect((await vizprompt.searchNodes({ tags: ['計算'] })).length).toBeGreaterThan(0);
    const leaves = (await vizprompt.getFlow(main?.id)).nodes.slice(-2).map(({ id }) => id);
    const merge = await vizprompt.createNode(
      { prompt: '合流 \0 \ud800' },
      { flow: main?.id ?? '', after: leaves },
    );
    await vizprompt.updateNode(merge.id, { response: '\u001b[0m' });
    await vizprompt.deleteNode(leaves[0] ?? '');
    expect(await vizprompt.getNode(merge.id)).toMatchObject({
      prompt: '合流 \0 \ud800',
      response: '\u001b[0m',
    });
    await vizprompt.close();

    await using again = await VizPrompt.open({ storage });
    expect((await again.getFlow(main?.id)).nodes).toHaveLength(5);
    expect(await again.problems()).toEqual([]);
  });

  it('has its flows in one order, whatever order the database has for names', async () => {
    await using storage = await open();
    await using vizprompt = await VizPrompt.open({ storage });
    const { file } = await vizprompt.createFlow({ name: 'main' });
    const text = (await storage.files.read(file))?.text ?? '';
    const names = [
      'flows/_.yaml',
      'flows/B.yaml',
      'flows/a.yaml',
      'flows/Z/a.yaml',
      'flows/ä.yaml',
    ];
    for (const [at, name] of names.entries()) {
      const id = `${at}0000000-0000-4000-8000-000000000000`;
      await storage.files.write(name, text.replace(/^id: .*$/m, `id: ${id}`));
    }
    await vizprompt.refresh();
    const files = (await vizprompt.listFlows()).map((flow) => flow.file);
    expect(files).toEqual([file, ...names.toSorted()]);
  });
});

it('moves from a laptop to a server, files and all', async () => {
  await using from = await openStorage(await temporaryFolder());
  const laptop = await VizPrompt.open({ storage: from });
  const node = await laptop.createNode({ prompt: '引っ越し', response: '完了' });
  await laptop.close();
  await using to = await storageOnPostgres();
  await copyStorage(from, to);
  await using server = await VizPrompt.open({ storage: to });
  expect(await server.getNode(node.id)).toMatchObject({ prompt: '引っ越し', file: node.file });
  expect(await server.searchNodes({ text: '引っ越し' })).toHaveLength(1);
});

const WORDS = ['zyzzyvaword', '蜜柑畑の秘密'];
const SAID = WORDS.join(' は ');

it('leaves no byte of a speaker and of deleted nodes in PostgreSQL', async () => {
  const connectionString = inject('databaseUrl');
  const namespace = `core_${randomBytes(6).toString('hex')}`;
  const schemas = [namespace, `${namespace}.cache`];
  onTestFinished(() => dropNamespace(connectionString, namespace));
  await using storage = await postgresStorage({ connectionString, namespace });
  await using vizprompt = await VizPrompt.open({ storage });
  await vizprompt.createNode({ prompt: 'q', response: SAID, speaker: 'Alice' });
  await vizprompt.createNode({ prompt: `Alice: ${SAID}`, response: 'fine' });
  await vizprompt.build();
  const find = (): Promise<readonly string[]> =>
    findWordsInSchema(connectionString, schemas, WORDS);
  expect(await find()).not.toEqual([]);
  const { remains } = await vizprompt.eraseSpeaker({ speaker: 'Alice' });
  expect(remains.map(({ place }) => place)).toContain('database-log');
  expect(await find()).toEqual([]);
  const node = await vizprompt.createNode({ prompt: SAID, response: 'deleted' });
  await vizprompt.deleteNode(node.id);
  await vizprompt.vacuum();
  expect(await find()).toEqual([]);
});
