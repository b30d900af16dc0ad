import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { call, connect, openService, textOf } from '../../support/novel-service.ts';

/** Bytes of Shift_JIS. */
const OTHER_ENCODING = Buffer.from([0x93, 0x94, 0x91, 0xe4]);

const FILES = { 'contents/1.md': '嵐の夜。', 'contents/3.md': '凪の朝。' };

it.runIf(process.platform !== 'win32')(
  'files that cannot be read say why, and do not hide the others',
  async () => {
    const { service, root } = await openService({ 灯台: FILES });
    const contents = join(root, '灯台/contents');
    await writeFile(join(contents, '2.md'), OTHER_ENCODING);
    await writeFile(join(contents, '4: 箱.md'), '名前の変な章。');
    await writeFile(join(contents, '5.md'), 'あ'.repeat(4_000_000));
    await writeFile(join(contents, '6.md'), '最後の章。');
    const client = await connect(service);

    const problems = {
      'contents/2.md': expect.stringContaining('save it as UTF-8'),
      'contents/5.md': expect.stringContaining('got 12000000'),
    };
    const list = await call(client, 'list_novel_content', { novelId: '灯台' });
    const listed = (list.structuredContent as { readonly files: readonly File[] }).files;
    expect(listed).toHaveLength(6);
    expect(problemsOf(listed)).toEqual(problems);
    expect(listed.filter(({ problem }) => problem).map(({ preview }) => preview)).toEqual(['', '']);
    expect(textOf(list)).toContain('contents/2.md (4 bytes): (it cannot be read: ');

    const read: File[] = [];
    let said = '';
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const page = await call(client, 'get_novel_content', { novelId: '灯台', offset, limit: 4 });
      expect(page.isError).toBeUndefined();
      const data = page.structuredContent as Page;
      read.push(...data.files);
      said += textOf(page);
      offset = data.nextOffset;
    }
    expect(read.map(({ file, text }) => `${file} ${text}`)).toEqual([
      'contents/1.md 嵐の夜。',
      'contents/2.md ',
      'contents/3.md 凪の朝。',
      'contents/4: 箱.md 名前の変な章。',
      'contents/5.md ',
      'contents/6.md 最後の章。',
    ]);
    expect(problemsOf(read)).toEqual(problems);
    expect(said).toContain('(it cannot be read: 灯台/contents/2.md');

    // A request for such a file gets an error.
    const one = await call(client, 'get_novel_content', { novelId: '灯台', file: '2.md' });
    expect(one.isError).toBe(true);
    expect(textOf(one)).toContain('save it as UTF-8');
  },
);

it.runIf(process.platform !== 'win32')(
  'whatever a search finds can be read, also by names that no file is made with',
  async () => {
    const { service, root } = await openService({ 灯台: FILES });
    const names = [
      'a:b.md',
      'con.md',
      ' 章.md',

      'a\\b.md',
      'x\u200by.md',
      '第1部?/1.md',
      'nul/2.md',
    ];
    for (const name of names) {
      const path = join(root, '灯台/contents', name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, `羅針盤は${name}にある。`);
    }
    const client = await connect(service);
    const query = { novelId: '灯台', query: '羅針盤', limit: 20 };
    const found = (await call(client, 'search_novel_content', query)).structuredContent;
    const hits = (found as { readonly hits: readonly File[] }).hits.map(({ file }) => file);
    expect(hits.toSorted()).toEqual(names.map((name) => `contents/${name}`).toSorted());
    for (const file of hits) {
      const read = await call(client, 'get_novel_content', { novelId: '灯台', file });
      expect(textOf(read)).toContain(`羅針盤は${file.slice('contents/'.length)}にある。`);
      const add = { novelId: '灯台', file, content: '別の章。', overwrite: true };
      const added = await call(client, 'add_novel_content', add);
      expect(textOf(added)).toContain('is not allowed as a path');
    }
    const { resources } = await client.listResources();
    expect(resources).toHaveLength(names.length + 2);
    for (const { uri } of resources) {
      const [content] = (await client.readResource({ uri })).contents;
      expect(content).toEqual(
        expect.objectContaining({ text: expect.stringMatching(/羅針盤|夜|朝/) }),
      );
    }
  },
);

it('instructions that cannot be read say why', async () => {
  const { service, root } = await openService({ 灯台: FILES });
  await writeFile(join(root, '灯台/DIALOGOI.md'), OTHER_ENCODING);
  const client = await connect(service);
  for (const tool of ['list_novel_instructions', 'get_novel_instructions']) {
    const answer = await call(client, tool, { novelId: '灯台' });
    expect(answer.isError).toBeUndefined();
    expect(textOf(answer)).toContain('it cannot be read: 灯台/DIALOGOI.md is no text in UTF-8');
  }
});

interface File {
  readonly file: string;
  readonly text?: string;
  readonly preview?: string;
  readonly problem?: string;
}

interface Page {
  readonly files: readonly File[];
  readonly nextOffset?: number;
}

function problemsOf(files: readonly File[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    files.flatMap(({ file, problem }) => (problem === undefined ? [] : [[file, problem]])),
  );
}

// Other systems refuse such names.
it.runIf(process.platform === 'linux')(
  'names that are no UTF-8 are problems of their own',
  async () => {
    const { service, root } = await openService({ 灯台: FILES });
    const contents = Buffer.from(join(root, '灯台/contents/'));
    await writeFile(
      Buffer.concat([contents, OTHER_ENCODING, Buffer.from('.md')]),
      '名前の変な章。',
    );
    await mkdir(Buffer.concat([contents, OTHER_ENCODING]));
    const { files } = await service.list('灯台', 'contents');
    expect(files.map(({ path, problem }) => [path, problem?.replace(/.*has a/, 'a')])).toEqual([
      ['contents/1.md', undefined],
      ['contents/3.md', undefined],
      ['contents/\ufffd\ufffd\ufffd\ufffd', 'a name that is no UTF-8: rename it'],
      ['contents/\ufffd\ufffd\ufffd\ufffd.md', 'a name that is no UTF-8: rename it'],
    ]);
  },
);
