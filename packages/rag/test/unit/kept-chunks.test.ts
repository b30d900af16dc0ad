import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { SourceDocument } from '../../src/chunk/chunking-strategy.ts';
import { openBackend, temporaryFolder } from '../support/search-index.ts';

const DOCUMENTS = 40;
const PARAGRAPHS = 12;

/** Documents of which one paragraph contains the version. */
function novel(version: string): readonly SourceDocument[] {
  return Array.from({ length: DOCUMENTS }, (_, at) => {
    const paragraphs = Array.from({ length: PARAGRAPHS }, (_unused, place) =>
      place === at % PARAGRAPHS ? `鐘が${version}と鳴る。` : `灯台守は第${place}の夜に海を見る。`,
    );
    return { novelId: '灯台', filePath: `contents/${at}.md`, text: paragraphs.join('\n\n') };
  });
}

it('many documents that change in one place give up one chunk each, and keep the others', async () => {
  const backend = await openBackend();
  await backend.index(novel('昨日'));
  const idsOf = async (): Promise<readonly string[]> => {
    const { hits } = await backend.search('灯台守', { k: 100 });
    return hits.map(({ id }) => id).toSorted();
  };
  const before = await idsOf();
  const commits: object[] = [];
  backend.events.on('index:committed', (commit) => commits.push(commit));
  await backend.index(novel('今日'));
  expect(commits).toEqual([{ added: DOCUMENTS, removed: DOCUMENTS }]);
  expect((await backend.stats()).chunks).toBe(DOCUMENTS * PARAGRAPHS);
  expect((await backend.search('昨日')).total).toBe(0);
  expect((await backend.search('今日')).total).toBe(DOCUMENTS);
  expect(await idsOf()).toEqual(before);
  await backend.compact();
  expect((await backend.stats()).chunks).toBe(DOCUMENTS * PARAGRAPHS);
  expect(await idsOf()).toEqual(before);
});

it('when the index is deleted while others are indexed, no document loses its chunks', async () => {
  const folder = temporaryFolder();
  const backend = await openBackend({ folder });
  await backend.index(novel('昨日'));
  async function* deleting(): AsyncGenerator<SourceDocument> {
    yield* novel('今日');
    for (const name of readdirSync(folder)) {
      if (name !== '.vizprompt') rmSync(join(folder, name), { recursive: true });
    }
    expect(existsSync(join(folder, 'manifest.json'))).toBe(false);
  }
  await expect(backend.index(deleting())).rejects.toMatchObject({
    code: 'indexing-failed',
    message: expect.stringContaining('lost documents'),
  });
  expect(backend.documents()).toEqual([]);
  await backend.index(novel('今日'));
  expect((await backend.stats()).chunks).toBe(DOCUMENTS * PARAGRAPHS);
  expect((await backend.search('灯台守', { k: 1 })).total).toBe(DOCUMENTS * (PARAGRAPHS - 1));
});

it('what another writes meanwhile is newer than what is indexed', async () => {
  const folder = temporaryFolder();
  const backend = await openBackend({ folder });
  const other = await openBackend({ folder });
  await backend.index(novel('昨日'));
  async function* overtaken(): AsyncGenerator<SourceDocument> {
    yield* novel('今日');
    const [first] = novel('明日');
    if (first) await other.updateFile({ ...first, text: '鐘が明日と鳴る。' });
    await other.removeByFile({ novelId: '灯台', filePath: 'contents/1.md' });
  }
  await backend.index(overtaken());
  for (const one of [backend, other]) {
    expect((await one.search('明日')).total).toBe(1);
    expect((await one.search('今日')).total).toBe(DOCUMENTS - 2);
    expect((await one.stats()).chunks).toBe((DOCUMENTS - 2) * PARAGRAPHS + 1);
  }
});
