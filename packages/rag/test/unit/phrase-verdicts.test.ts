import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Chunk } from '../../src/chunk/chunk.ts';
import type { ChunkingStrategy } from '../../src/chunk/chunking-strategy.ts';
import { SegmentBackend } from '../../src/index.ts';
import { parseQuery } from '../../src/query/parse-query.ts';
import { textConditions } from '../../src/search/answer-query.ts';
import { VERDICTS } from '../../src/search/chunk-index.ts';
import { judgeOf } from '../../src/segment/read/judge-phrases.ts';
import { PhraseCandidates } from '../../src/segment/read/phrase-candidates.ts';
import { PhraseMatcher } from '../../src/segment/read/phrase-matcher.ts';
import { SegmentReader } from '../../src/segment/read/segment-reader.ts';
import { openCompact } from '../support/compact-analyzer.ts';
import { smallSetChunks } from '../support/relevance/small-set.ts';
import { numbers, paragraph } from '../support/sample-texts.ts';
import { openBackend, paragraphs, temporaryFolder } from '../support/search-index.ts';

async function openWith(texts: readonly string[]): Promise<{
  readonly backend: SegmentBackend;
  readonly folder: string;
}> {
  const folder = mkdtempSync(join(tmpdir(), 'verdicts-'));
  const backend = await SegmentBackend.open({ folder, analyzer: await openCompact() });
  onTestFinished(async () => {
    await backend.close();
    rmSync(folder, { recursive: true });
  });
  await backend.index(texts.map((text, at) => ({ novelId: 'n', filePath: `${at}.txt`, text })));
  return { backend, folder };
}

/** Ways to write a text that change what is read, or that look so. */
const WRITINGS: readonly ((text: string, at: number) => string)[] = [
  (text) => text,
  (text, at) => `${text.slice(0, at)}\n　${text.slice(at)}`,
  (text, at) => `${text.slice(0, at)}《よみ》${text.slice(at)}`,
  (text, at) => `${text.slice(0, at)}｜${text.slice(at, at + 2)}《よみ》${text.slice(at + 2)}`,
  (text, at) => `${text.slice(0, at)}（よみ）${text.slice(at)}`,
  (text, at) => `${text.slice(0, at)}（注）${text.slice(at)}`,
  (text, at) => `${text.slice(0, at)}ゝ${text.slice(at)}`,
  (text, at) => `${text.slice(0, at)}――${text.slice(at)}`,
  (text, at) => `${text.slice(0, at)}……${text.slice(at)}`,
  (text, at) => `${text.slice(0, at)}**${text.slice(at, at + 2)}**${text.slice(at + 2)}`,
  (text, at) => `${text.slice(0, at)} ${text.slice(at)}`,
  (text, at) => `${text.slice(0, at)}2025\n年${text.slice(at)}`,
  (text, at) => `${text.slice(0, at)}サ―バーかﾞ${text.slice(at)}`,
  (text, at) => `${text.slice(0, at)}ﾞ${text.slice(at)}`,
  (text, at) => `${text.slice(0, at)}\n\u3099${text.slice(at)}`,
  (text, at) => `${text.slice(0, at)}ㅎㅏ${text.slice(at)}`,
];

it('says of no chunk that it has a phrase, or has not, where reading it says otherwise', async () => {
  const below = numbers(3);
  const texts = smallSetChunks()
    .slice(0, 60)
    .map(({ content }, number) => {
      let text = content.replaceAll(/\s+/g, '');
      for (let round = 0; round < number % 4; round++) {
        text = WRITINGS[below(WRITINGS.length)]?.(text, below(text.length)) ?? text;
      }
      return text;
    });
  const { folder } = await openWith(texts);
  const file = readdirSync(folder).find((name) => name.endsWith('.bin')) ?? '';
  const reader = new SegmentReader(join(folder, file));
  onTestFinished(() => reader.release());
  const docs = Uint32Array.from({ length: reader.size }, (_, doc) => doc);
  const own = Array.from(docs, (doc) =>
    reader.textOf(reader.formsOf(doc)).slice(reader.column(doc, 'overlap')),
  );
  const candidates = new PhraseCandidates(reader);
  const counts = new Map<number, number>();
  for (let round = 0; round < 400; round++) {
    const text = own[below(own.length)] ?? '';
    const length = 1 + below(9);
    const at = below(Math.max(1, text.length - length));
    const piece = text.slice(at, at + length).replaceAll(/["\s]/g, '');
    // No index has half of a character.
    if (/^[\p{M}ﾞㅏ]|ㅎ$/u.test(piece)) continue;
    const { accepts, phrases } = await textConditions(parseQuery(`"${piece}"`));
    const [phrase] = phrases;
    if (!accepts || !phrase) continue;
    const found = new Set(candidates.find(phrase));
    const judged = docs.filter((doc) => found.has(doc));
    const verdicts = judgeOf(reader, phrases, candidates)(judged);
    const accepted = [...docs].filter((doc) => accepts(own[doc] ?? '', []));
    expect([piece, accepted.filter((doc) => !found.has(doc))]).toEqual([piece, []]);
    for (const [place, doc] of judged.entries()) {
      const verdict = verdicts[place] ?? -1;
      counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
      if (verdict === VERDICTS.unsure) continue;
      const isThere = verdict === VERDICTS.there;
      expect([piece, own[doc], isThere]).toEqual([piece, own[doc], accepted.includes(doc)]);
    }
  }
  expect(counts.get(VERDICTS.unsure) ?? 0).toBeLessThan((counts.get(VERDICTS.there) ?? 0) / 4);
});

/** Opens the only segment of an index whose words are cut before a mark. */
async function openSegment(chunking: ChunkingStrategy, text: string): Promise<SegmentReader> {
  const folder = temporaryFolder();
  const backend = await openBackend({ folder, chunking });
  await backend.index([{ novelId: 'n', filePath: 'a.txt', text }]);
  const file = readdirSync(folder).find((name) => name.endsWith('.bin')) ?? '';
  const reader = new SegmentReader(join(folder, file));
  onTestFinished(() => reader.release());
  return reader;
}

it('says of no chunk that it has a character that a mark in the next form changes', async () => {
  const texts = ['そしﾞて', 'しﾞ', 'そのしﾞ、し', 'ﾊ\nﾞの', 'カハﾞ', 'e\u0301', '하\u11a8', 'ハ。し'];
  const reader = await openSegment(paragraphs, texts.join('\n\n'));
  const docs = Uint32Array.from({ length: reader.size }, (_, doc) => doc);
  expect(reader.size).toBe(texts.length);
  const candidates = new PhraseCandidates(reader);
  const sure: string[] = [];
  for (const phrase of ['し', 'のし', 'ハ', 'カハ', 'e', '하']) {
    const { accepts, phrases } = await textConditions(parseQuery(`"${phrase}"`));
    const verdicts = judgeOf(reader, phrases, candidates)(docs);
    for (const [doc, verdict] of verdicts.entries()) {
      const isThere = accepts?.(texts[doc] ?? '', []) ?? false;
      if (verdict === VERDICTS.unsure) continue;
      expect([phrase, texts[doc], verdict === VERDICTS.there]).toEqual([
        phrase,
        texts[doc],
        isThere,
      ]);
      if (isThere) sure.push(`${phrase} ${texts[doc]}`);
    }
  }
  expect(sure).toEqual(['し そのしﾞ、し', 'し ハ。し', 'ハ ハ。し']);
});

it('learns forms after any number of texts that begin inside of one', async () => {
  const chunking: ChunkingStrategy = {
    id: 'inside',
    chunk: async ({ novelId, filePath }) => {
      const where = { novelId, filePath, title: '', startLine: 1, endLine: 1 };
      return [
        new Chunk({ ...where, content: '海岸灯台', overlap: 1, chunkIndex: 0 }),
        new Chunk({ ...where, content: '嵐の岸の海', chunkIndex: 1 }),
      ];
    },
  };
  const reader = await openSegment(chunking, '海岸灯台');
  const matcher = new PhraseMatcher(reader, '岸');
  const begun = matcher.verdicts(new Uint32Array(65_600));
  expect(new Set(begun)).toEqual(new Set([VERDICTS.there]));
  expect([...matcher.verdicts(Uint32Array.of(0, 1))]).toEqual([VERDICTS.there, VERDICTS.there]);
});

it('finds quoted text from the last heading into the title, as reading them does', async () => {
  const names = [
    { headingPath: ['海', '灯台'], title: 'の話' },
    { headingPath: ['第2025'], title: '年' },
    { headingPath: ['灯台'], title: '灯台' },
    { headingPath: ['灯'], title: '' },
  ];
  const chunking: ChunkingStrategy = {
    id: 'named',
    chunk: async ({ novelId, filePath }) =>
      names.map((one, chunkIndex) => {
        const where = { novelId, filePath, startLine: 1, endLine: 1, chunkIndex };
        return new Chunk({ ...where, ...one, content: `猫${chunkIndex}` });
      }),
  };
  const backend = await openBackend({ chunking });
  await backend.index([{ novelId: 'n', filePath: 'a.txt', text: '猫' }]);
  for (const [query, found] of [
    ['"灯台の話"', ['猫0']],
    ['title:"2025年"', ['猫1']],
    ['"2025年"', ['猫1']],
    ['"灯台"', ['猫0', '猫2']],
    ['"灯台灯台"', []],
    ['"灯年"', []],
    ['猫 -"台の"', ['猫1', '猫2', '猫3']],
  ] as const) {
    const { hits } = await backend.search(query);
    expect([query, hits.map(({ content }) => content).toSorted()]).toEqual([query, found]);
  }
});

it('finds Jamo that become a syllable, as it is written and letter by letter', async () => {
  const { backend } = await openWith(['ㅎㅏ나 좋다', '그는 ㄱㅏ다 했다', '하나 둘']);
  for (const [query, files] of [
    ['"ㅎㅏ나"', ['0.txt', '2.txt']],
    ['"하나"', ['0.txt', '2.txt']],
    ['"ㄱㅏ다"', ['1.txt']],
  ] as const) {
    const { hits } = await backend.search(query);
    expect([query, hits.map(({ payload }) => payload.file).toSorted()]).toEqual([query, files]);
  }
});

it.each(['"して"', '"していた。"', '"灯台"'])(
  'counts the chunks with %s without reading them',
  async (query) => {
    const below = numbers(5);
    const texts = Array.from(
      { length: 400 },
      () => `灯台を見た。そうしていた。${paragraph(below)}`,
    );
    const { backend } = await openWith(texts);
    const read = vi.spyOn(SegmentReader.prototype, 'textOf');
    onTestFinished(() => read.mockRestore());
    const { hits, total } = await backend.search(query, { limit: 10 });
    expect([hits.length, total]).toEqual([10, 400]);
    expect(read.mock.calls.length).toBeLessThan(60);
  },
);

it.each(['"して"', '"している"', '"ながら"', '"人の"', '"の中"'])(
  'finds %s by its list, without looking at texts that are not shown',
  async (query) => {
    const { backend } = await openWith([
      '灯台を見ながら人の波の中で話している。',
      '灯台を見なかった人と、の…中で話しました。',
    ]);
    const looked = vi.spyOn(SegmentReader.prototype, 'eachText');
    onTestFinished(() => looked.mockRestore());
    const { hits } = await backend.search(query);
    expect(looked).not.toHaveBeenCalled();
    expect(hits.map(({ payload }) => payload.file)).toEqual(['0.txt']);
  },
);

it('is sure of texts whose signs are in lines of their own', async () => {
  const texts = ['灯台を見た。\n\n　　★　　★\n\n石段を登る。', '灯台を\n　……――\n\n見た。'];
  const reader = await openSegment(wholeFile, texts.join(''));
  const matcher = new PhraseMatcher(reader, '羅針盤');
  expect([...matcher.verdicts(Uint32Array.of(0))]).toEqual([VERDICTS.absent]);
});

const wholeFile: ChunkingStrategy = {
  id: 'whole',
  chunk: async ({ novelId, filePath, text }) => [
    new Chunk({
      novelId,
      filePath,
      title: '',
      startLine: 1,
      endLine: 1,
      content: text,
      chunkIndex: 0,
    }),
  ],
};

it('finds the same after segments were merged without the chunks that went', async () => {
  const below = numbers(9);
  const { backend, folder } = await openWith([]);
  const texts = Array.from({ length: 14 }, () => `${paragraph(below)}灯台を見ていた。`);
  for (const [at, text] of [...texts, ...texts.slice(0, 3)].entries()) {
    const isGone = at >= texts.length;
    const changed = isGone ? '猫がいた。' : text;
    await backend.updateFile({
      novelId: 'n',
      filePath: `${at % texts.length}.txt`,
      text: changed,
    });
  }
  await backend.compact();
  expect(readdirSync(folder).filter((name) => name.endsWith('.bin'))).toHaveLength(1);
  for (const [query, count] of [
    ['"てい"', 11],
    ['"見ていた"', 11],
    ['"灯台"', 11],
    ['"がい"', 3],
  ] as const) {
    const { hits } = await backend.search(query, { limit: 50 });
    const found = hits.filter(({ content }) => content.includes(query.slice(1, -1)));
    expect([query, new Set(found.map(({ payload }) => payload.file)).size, hits.length]).toEqual([
      query,
      count,
      found.length,
    ]);
  }
});
