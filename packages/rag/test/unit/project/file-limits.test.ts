import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadRagConfig } from '../../../src/index.ts';
import { openService } from '../../support/novel-service.ts';
import { temporaryFolder } from '../../support/search-index.ts';

/** The limit of all files but one, so that there need be only one that is large. */
const MOST = 300_000;
const NOVEL = { 'contents/1.md': '嵐の夜。', 'settings/灯.md': '灯台守の娘。' };
const KEYS = Array.from({ length: 2000 }, (_, at) => `"k${at}":1`).join(',');
const deep = (open: string, close: string): string => open.repeat(1e4) + close.repeat(1e4);

/** Files that take much, and why a list calls them unreadable; `undefined`: they are read. */
const FILES: readonly { name: string; file: string; text: () => string; why?: RegExp }[] = [
  { name: 'one long line', file: 'contents/2.md', text: () => '嵐'.repeat(30_000) },
  { name: '200 headings', file: 'contents/2.md', text: () => '# 章\n\n文。\n'.repeat(200) },
  { name: 'nested quotes', file: 'contents/2.md', text: () => `${'>'.repeat(2e4)} 文` },
  {
    name: 'deep front matter',
    file: 'contents/2.md',
    text: () => `---\ntags: ${deep('[', ']')}\n---\n文`,
  },
  {
    name: 'front matter of aliases',
    file: 'contents/2.md',
    text: () => `---\na: &a x\ntags: [${'*a,'.repeat(1000)}]\n---\n文`,
  },
  {
    name: 'a large novel.json',
    file: 'novel.json',
    text: () => `{"title":"${'x'.repeat(MOST)}"}`,
    why: /at most 300000/,
  },
  {
    name: 'a deep novel.json',
    file: 'novel.json',
    text: () => `{"a":${deep('[', ']')}}`,
    why: /nested deeper/,
  },
  { name: 'a novel.json of 2,000 keys', file: 'novel.json', text: () => `{${KEYS}}` },
  {
    name: 'large instructions',
    file: 'DIALOGOI.md',
    text: () => 'x'.repeat(MOST + 1),
    why: /at most 300000/,
  },
];

describe('a file of a novel that takes much', () => {
  it.each(FILES)(
    'of $name leaves the rest to be read and searched',
    async ({ file, text, why }) => {
      const { service, root } = await openService({ 灯台: NOVEL }, { maxFileBytes: MOST });
      await writeFile(join(root, '灯台', file), text());
      const project = await service.getProject('灯台');
      const listed = [
        ...(await service.list('灯台', 'contents')).files,
        ...(await service.list('灯台', 'instructions')).files,
      ];
      const told = listed.find(({ path }) => path === file) ?? project;
      expect(told.problem ?? '').toMatch(why ?? /^$/);
      const { hits } = await service.search('灯台', '灯台守', { area: 'settings' });
      expect(hits).toMatchObject([{ payload: { file: 'settings/灯.md' } }]);
    },
  );

  it('of more than 10 MiB is not read by default', async () => {
    const text = 'x'.repeat((10 << 20) + 1);
    const { service } = await openService({ 灯台: { ...NOVEL, 'contents/2.md': text } });
    const { files } = await service.list('灯台', 'contents');
    expect(files.find(({ path }) => path === 'contents/2.md')?.problem).toMatch(
      /at most 10485760.*maxFileBytes/,
    );
  });

  it('is read up to the limit of the caller', async () => {
    const text = 'あ'.repeat(100);
    const { service } = await openService(
      { 灯台: { ...NOVEL, 'contents/2.md': text } },
      { maxFileBytes: 200 },
    );
    const failed: string[] = [];
    service.events.on('file:failed', ({ path, error }) => failed.push(`${path} ${error.message}`));
    const { files } = await service.list('灯台', 'contents');
    expect(files.map(({ problem }) => problem)).toEqual([
      undefined,
      expect.stringContaining('expected at most 200 bytes, got 300'),
    ]);
    const wanted = { code: 'file-invalid', message: expect.stringContaining('raise maxFileBytes') };
    await expect(service.read('灯台', 'contents', { file: '2.md' })).rejects.toMatchObject(wanted);
    await expect(service.add('灯台', 'contents', '3.md', text)).rejects.toMatchObject(wanted);
    expect((await service.search('灯台', 'あああ')).hits).toEqual([]);
    expect(failed).toEqual([expect.stringMatching(/contents\/2\.md.*got 300.*maxFileBytes/)]);
  });
});

it.each([
  ['large', `{"projectRoot":"${'x'.repeat(4 << 20)}"}`, /too large|at most 4194304/],
  ['deep', `{"chunk":${deep('[', ']')}}`, /nested deeper|./],
  ['of many keys', `{${KEYS}}`, /not known|k0/],
])('settings that are %s are reported with a code', async (_, text, message) => {
  const file = join(temporaryFolder(), 'config.json');
  await writeFile(file, text);
  await expect(loadRagConfig({ file })).rejects.toMatchObject({
    code: 'config-invalid',
    message: expect.stringMatching(message),
  });
});
