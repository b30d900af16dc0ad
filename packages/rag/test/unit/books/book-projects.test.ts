import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { docx, epub3, makeZip, paragraph } from '../../support/make-books.ts';
import { call, connect, openService, textOf } from '../../support/novel-service.ts';

const STORM = makeZip(
  epub3([
    { file: '1.xhtml', body: '<h1>第一章</h1><p>灯台の朝。</p>' },
    {
      file: '2.xhtml',
      body: '<h1>第二章　嵐</h1><p>風が鳴った。</p><p>その<ruby>黄<rt>たそ</rt>昏<rt>がれ</rt></ruby>の刻、船は出た。</p>',
    },
  ]),
);
const LETTER = makeZip(docx(paragraph('手紙', '1') + paragraph('拝啓、羅針盤が狂いました。')));

it('books of a project are listed, read, searched and cited, and never written', async () => {
  const { service, root } = await openService({ 灯台: { 'settings/島.md': '# 島\n\n北の海。\n' } });
  const contents = join(root, '灯台/settings');
  writeFileSync(join(contents, '嵐.epub'), STORM);
  writeFileSync(join(contents, '手紙.DOCX'), LETTER);
  writeFileSync(join(contents, '壊.epub'), STORM.subarray(0, 700));
  const client = await connect(service);

  const list = await call(client, 'list_novel_settings');
  const { files } = list.structuredContent as { files: readonly Record<string, unknown>[] };
  expect(Object.fromEntries(files.map(({ file, preview }) => [file, preview]))).toEqual({
    'settings/島.md': '# 島 北の海。',
    'settings/嵐.epub':
      '# 第一章 灯台の朝。 # 第二章 嵐 風が鳴った。 その｜黄昏《たそがれ》の刻、船は出た。',
    'settings/手紙.DOCX': '# 手紙 拝啓、羅針盤が狂いました。',
    'settings/壊.epub': '',
  });
  const broken = files.find(({ file }) => file === 'settings/壊.epub');
  expect(broken?.['problem']).toContain('壊.epub cannot be read: it is no sound ZIP archive');

  // The chapter by its headings, the paragraph by its line; by the reading as well.
  for (const query of ['"黄昏の刻"', 'よみ:たそがれ']) {
    const { hits } = await service.search('灯台', query);
    expect(hits[0]).toMatchObject({
      headingPath: ['第二章　嵐'],
      content: '# 第二章　嵐\n風が鳴った。\nその｜黄昏《たそがれ》の刻、船は出た。',
      payload: { file: 'settings/嵐.epub', start: 3, end: 5, startColumn: 1, endColumn: 19 },
    });
  }
  const place = { file: '嵐.epub', startLine: 5, endLine: 5 };
  const read = await call(client, 'get_novel_settings', place);
  expect(read.structuredContent).toMatchObject({
    files: [{ text: 'その｜黄昏《たそがれ》の刻、船は出た。\n', totalLines: 5 }],
  });
  const letter = await call(client, 'search_novel_settings', { query: '羅針盤' });
  expect(textOf(letter)).toContain('## settings/手紙.DOCX, lines 1-2 (手紙)');

  for (const file of ['嵐.epub', '新.epub', '新.docx']) {
    const added = await call(client, 'add_novel_setting', { file, content: '', overwrite: true });
    expect(added.isError).toBe(true);
    expect(textOf(added)).toMatch(/never written|ends neither|is not allowed/);
  }
  expect(readFileSync(join(contents, '嵐.epub')).equals(STORM)).toBe(true);
});

it('a book that changes is followed, and one that breaks leaves the rest as it is', async () => {
  const failures: string[] = [];
  const { service, root } = await openService(
    { 灯台: { 'contents/1.md': '嵐の夜。' } },
    { watch: false, on: { 'file:failed': ({ path }) => failures.push(path) } },
  );
  const path = join(root, '灯台/contents/本.epub');
  const found = async (query: string): Promise<readonly string[]> =>
    (await service.search('灯台', query)).hits.map(({ payload }) => payload.file);
  writeFileSync(path, STORM);
  expect(await found('黄昏')).toEqual(['contents/本.epub']);
  writeFileSync(path, makeZip(epub3([{ file: '1.xhtml', body: '<p>凪の海。</p>' }])));
  expect(await found('黄昏')).toEqual([]);
  expect(await found('凪')).toEqual(['contents/本.epub']);
  expect(failures).toEqual([]);
  writeFileSync(path, 'これは本ではない');
  expect(await found('凪')).toEqual([]);
  expect(await found('嵐')).toEqual(['contents/1.md']);
  expect(failures).toEqual(['contents/本.epub']);
});
