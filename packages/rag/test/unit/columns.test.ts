import { expect, test } from 'vitest';
import { readFacts, writeFacts } from '../../src/sql/chunk-facts.ts';
import { call, connect, openService, textOf } from '../support/novel-service.ts';

const LINE = Array.from(
  { length: 400 },
  (_, at) => `${at}番の𠮷野家で《うみねこ》が鳴いた🐈。`,
).join('');

test('a passage of a file of one line is read by the columns of its hit', async () => {
  const { service } = await openService({ 海: { 'contents/一行.txt': `\ufeff${LINE}` } });
  const client = await connect(service);
  const found = await call(client, 'search_novel_content', { query: '"377番の𠮷野家"' });
  const { hits } = found.structuredContent as { hits: readonly Record<string, unknown>[] };
  expect(hits).toHaveLength(1);
  const { file, startLine, endLine, startColumn, endColumn, text } = hits[0] ?? {};
  expect([startLine, endLine]).toEqual([1, 1]);
  expect(String(text)).toBe(LINE.slice(Number(startColumn) - 1, Number(endColumn)));
  expect(textOf(found)).toContain(`line 1, columns ${Number(startColumn)}-${Number(endColumn)}`);
  const place = { file, startLine, endLine, startColumn, endColumn };
  const read = await call(client, 'get_novel_content', place);
  expect(read.structuredContent).toMatchObject({ files: [{ text, startColumn, endColumn }] });
});

test('a column in the middle of a character means all of it, and one after the line its end', async () => {
  const { service } = await openService({ 海: { 'contents/a.txt': 'a🐈b\r\n𠮷c\n' } });
  const read = async (request: object): Promise<string | undefined> => {
    const { files } = await service.read('海', 'contents', { file: 'a.txt', ...request });
    return files[0]?.text;
  };
  const all = { startLine: 1, endLine: 1 };
  expect(await read({ ...all, endColumn: 1 })).toBe('a');
  expect(await read({ ...all, endColumn: 2 })).toBe('a🐈');
  expect(await read({ ...all, endColumn: 3 })).toBe('a🐈');
  expect(await read({ ...all, startColumn: 3, endColumn: 4 })).toBe('🐈b');
  expect(await read({ ...all, endColumn: 99 })).toBe('a🐈b\r\n');
  expect(await read({ startLine: 1, endLine: 2, startColumn: 4, endColumn: 1 })).toBe('b\r\n𠮷');
  const wrong = { code: 'invalid-input' };
  await expect(read({ ...all, startColumn: 4, endColumn: 1 })).rejects.toMatchObject(wrong);
  await expect(read({ startLine: 1, endColumn: 1 })).rejects.toMatchObject(wrong);
});

test('the facts of chunks in a database are read with columns and without', () => {
  const facts = {
    id: 3,
    chunkIndex: 0,
    words: 2,
    length: 9,
    startLine: 4,
    endLine: 5,
    tags: ['海'],
  };
  const chunks = [
    { ...facts, startColumn: 70_000 },
    { ...facts, id: 1, startColumn: undefined, tags: [] },
  ];
  expect(readFacts(writeFacts(chunks))).toEqual(chunks);
  const list = Buffer.from('[["海"]]');
  const older = [list.length, ...list, 6, 0, 2, 9, 4, 2, 0];
  expect(readFacts(Uint8Array.from(older))).toEqual([{ ...facts, startColumn: undefined }]);
});
