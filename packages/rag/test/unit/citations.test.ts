import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyString, runs } from '../../../providers/test/support/fuzz.ts';
import {
  AozoraChunkingStrategy,
  AutoChunkingStrategy,
  MarkdownChunkingStrategy,
  PlainTextChunkingStrategy,
  SegmentBackend,
  segmenterAnalyzer,
  type ChunkingStrategy,
  type SearchHit,
} from '../../src/index.ts';
import { linesOf as readLines } from '../../src/project/read-texts.ts';
import { temporaryFolder } from '../support/search-index.ts';

const OPTIONS = { maxTokens: 40, overlap: 0.3 };
const analyzer = segmenterAnalyzer();
const strategies: readonly ChunkingStrategy[] = [
  new MarkdownChunkingStrategy(OPTIONS),
  new PlainTextChunkingStrategy(OPTIONS),
  new AozoraChunkingStrategy(OPTIONS),
  new AutoChunkingStrategy(OPTIONS),
];

const sentences = [
  '灯台守の娘は、夜明けに窓を開けた。',
  '「もう船は出たの？」と猫が鳴いた🐈‍⬛。',
  '嵐の夜、サーバーは止まらなかった！',
  '｜海猫《うみねこ》が三羽、桟橋《さんばし》に並ぶ。',
  '𠮷野家の👩‍👩‍👧‍👦と🇯🇵の旗。',
  'The lighthouse keeper opened the window.',
  'ｶﾓﾒとカモメとかもめ。',
  '[リンク](https://example.com/灯台) と `code` と **強い海**。',
  'か\u3099とか\uFEFFと\uD83Dの嵐。',
  '長い夜の海を走る'.repeat(8),
];
const block = fc.oneof(
  { weight: 6, arbitrary: fc.array(fc.constantFrom(...sentences), { maxLength: 6 }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ['# 第一章　灯台'],
      ['## 嵐'],
      ['嵐の章', '===='],
      ['- 海', '  - 灯台', '- 猫'],
      ['```js', 'const 灯台 = "嵐";', '', '```'],
      ['| 海 | 猫 |', '| --- | --- |', '| 灯台 | 嵐 |'],
      ['> 夜の海', '> 嵐'],
      ['［＃３字下げ］第二章［＃「第二章」は大見出し］'],
      ['---', 'title: 海', 'tags: [嵐]', '---'],
      ['<!-- 海 -->'],
      [' \u3000\t'],
    ),
  },
  { weight: 1, arbitrary: anyString({ maxLength: 40 }).map((text) => [text]) },
);
const document = fc
  .record({
    blocks: fc.array(block, { minLength: 1, maxLength: 8 }),
    ends: fc.array(fc.constantFrom('\n', '\r\n', '\r', '\n\n'), { minLength: 1, maxLength: 4 }),
    start: fc.constantFrom('', '', '\uFEFF'),
    extension: fc.constantFrom('md', 'txt'),
  })
  .map(({ blocks, ends, start, extension }) => {
    const lines = blocks.flatMap((one) => [...one, '']);
    const text = start + lines.map((line, at) => line + (ends[at % ends.length] ?? '')).join('');
    return { text, extension };
  });

const queries = [
  '灯台 海 猫',
  '嵐の夜の船はどこ？',
  '"夜の海"',
  '/灯台|嵐/',
  '*海*',
  'カモメ lighthouse 👩‍👩‍👧‍👦',
  'code const 桟橋 うみねこ',
];

it.each(strategies.map((strategy) => [strategy.id, strategy] as const))(
  'the lines of every hit, read again from the document, hold what the hit shows: %s',
  async (_, chunking) => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(document, { minLength: 1, maxLength: 2 }),
        document,
        async (documents, changed) => {
          const texts = new Map<string, string>();
          const folder = temporaryFolder();
          await using backend = await SegmentBackend.open({ folder, analyzer, chunking });
          for (const [at, { text, extension }] of documents.entries()) {
            const filePath = `設定/${at}.${extension}`;
            texts.set(filePath, text);
            await backend.updateFile({ novelId: '海', filePath, text });
          }
          // The chunks of an edited document keep their ids and get other lines.
          const [first] = texts.keys();
          if (first !== undefined) {
            const text = `${changed.text}\n\n${texts.get(first) ?? ''}`;
            texts.set(first, text);
            await backend.updateFile({ novelId: '海', filePath: first, text });
          }
          for (const query of queries) {
            const expand = { before: 1, after: 1 };
            for await (const hit of backend.searchAll(query, { expand })) {
              expectCited(hit, texts.get(hit.payload.file) ?? '');
              count++;
            }
          }
        },
      ),
      { numRuns: runs(2) },
    );
    expect(count).toBeGreaterThan(runs(2) * 3);
  },
);

function expectCited({ payload, match, snippet, content, context }: SearchHit, text: string): void {
  const cited = linesOf(text, payload.start, payload.end);
  const { start: startLine, end: endLine, startColumn, endColumn } = payload;
  const passage = { startLine, endLine, startColumn, endColumn, maxCharacters: text.length };
  expect(readLines(payload.file, text, passage).text).toBe(content);
  expect(cited).toContain(content);
  expect(cited).toContain(snippet);
  expect(content).toContain(snippet);
  expect(snippet).toBe(match.text);
  expect(snippet.length).toBeLessThanOrEqual(240);
  let reached = 0;
  for (const [start, end] of match.highlights) {
    expect(start).toBeGreaterThanOrEqual(reached);
    expect(end).toBeGreaterThan(start);
    expect(end).toBeLessThanOrEqual(snippet.length);
    reached = end;
  }
  expect(context?.text).toContain(content);
  expect(context?.start).toBeLessThanOrEqual(payload.start);
  expect(context?.end).toBeGreaterThanOrEqual(payload.end);
}

/** As a reader of the file counts lines: they end with CR LF, CR or LF. */
function linesOf(text: string, start: number, end: number): string {
  return text
    .split(/(?<=\r\n|\n|\r(?!\n))/)
    .slice(start - 1, end)
    .join('');
}
