import { sqliteDatabase } from '@vizprompt/providers/node';
import { expect, it, onTestFinished } from 'vitest';
import {
  KeywordFlexBackend,
  MarkdownChunkingStrategy,
  SegmentBackend,
  segmenterAnalyzer,
  SqliteFtsBackend,
  type SearchOptions,
  type SourceDocument,
} from '../../src/index.ts';
import { temporaryFolder } from '../support/search-index.ts';

const analyzer = segmenterAnalyzer();
const document = {
  novelId: '島',
  filePath: 'books/one.txt',
  text: '少年は｜秘密の小瓶《ひみつのこびん》を懐に入れた。つゞく波の音。\n老婆は櫂を漕《こ》ぐ手を［＃「手を」に傍点］止めない。',
};

async function backendWith(text: string): Promise<KeywordFlexBackend> {
  const backend = await KeywordFlexBackend.open({ analyzer });
  onTestFinished(() => backend.close());
  await backend.updateFile({ ...document, text });
  return backend;
}

it.each([
  ['"櫂を漕ぐ手を止め"', 1],
  ['"秘密の小瓶を懐"', 1],
  ['"漕《こ》ぐ手を"', 1],
  ['"つづく波"', 1],
  ['"［＃「手を」に傍点］"', 1],
  ['"［＃改ページ］"', 0],
  ['老婆 -"櫂を漕ぐ"', 0],
])('%s is looked for in the text as it is written and as it is read', async (query, total) => {
  const backend = await backendWith(document.text);
  expect((await backend.search(query)).total).toBe(total);
});

it('a phrase may be written with an iteration mark where the text has none', async () => {
  const backend = await backendWith('つづく波の音');
  expect((await backend.search('"つゞく波"')).total).toBe(1);
});

it.each<[string, SearchOptions, string]>([
  ['老婆', { filter: { files: ['one.txt'] } }, 'filter'],
  ['老婆', { filter: { projects: ['山'] } }, 'other words'],
  ['老婆 -少年', {}, 'minus'],
  ['title:老婆', {}, 'title:'],
  ['灯台', {}, 'other words'],
])('%s with %j finds nothing, and the hint says %s', async (query, options, word) => {
  const backend = await backendWith(document.text);
  expect(await backend.search(query, options)).toMatchObject({
    total: 0,
    hint: expect.stringContaining(word) as string,
  });
});

it('says what of a search makes no sense', async () => {
  const backend = await backendWith(document.text);
  const refused = (options: unknown, message: string): Promise<void> =>
    expect(backend.search('老婆', options as SearchOptions)).rejects.toMatchObject({
      code: 'invalid-input',
      message,
    });
  await refused(
    { expand: { before: -1 } },
    "the option 'expand.before' of search: expected a whole number from 0, got -1",
  );
  await refused(
    { filter: { files: 'books/' } },
    `the option 'filter.files' of search: expected an array of strings, got "books/"`,
  );
});

it('says what of a document makes no sense, and writes nothing', async () => {
  const flex = await backendWith(document.text);
  const segments = await SegmentBackend.open({ analyzer, folder: temporaryFolder() });
  onTestFinished(() => segments.close());
  for (const name of ['novelId', 'filePath', 'text']) {
    const bad = { ...document, [name]: undefined } as unknown as SourceDocument;
    const error = {
      code: 'invalid-input',
      message: `${name} of a document: expected a string, got undefined`,
    };
    await expect(flex.updateFile(bad)).rejects.toMatchObject(error);
    await expect(segments.updateFile(bad)).rejects.toMatchObject(error);
    await expect(segments.index([bad])).rejects.toMatchObject(error);
  }
  expect(segments.documents()).toEqual([]);
});

it('says which options of chunks and indexes make no sense', async () => {
  expect(() => new MarkdownChunkingStrategy({ maxTokens: 5 })).toThrow(
    expect.objectContaining({ code: 'invalid-input', context: { maxTokens: 5 } }),
  );
  expect(() => new MarkdownChunkingStrategy({ overlap: 40 })).toThrow(
    expect.objectContaining({ code: 'invalid-input', context: { overlap: 40 } }),
  );
  const database = sqliteDatabase({ path: ':memory:' });
  onTestFinished(() => database.close());
  await expect(SqliteFtsBackend.open({ database, analyzer, name: 'A-b' })).rejects.toMatchObject({
    code: 'invalid-input',
    context: { name: 'A-b' },
  });
});
