// #region first
import { readFile } from 'node:fs/promises';
import { SegmentBackend } from '@vizprompt/rag';

const backend = await SegmentBackend.open({ folder: './index' });
const text = await readFile('examples/novel/contents/01.md', 'utf8');
await backend.updateFile({ novelId: '灯台', filePath: 'contents/01.md', text });
const { hits } = await backend.search('嵐の夜に灯を守ったのは誰？');
// #endregion first

// #region print
for (const { match, payload, headingPath, score } of hits) {
  console.log(`${payload.file}:${payload.start}-${payload.end}`, headingPath.join(' › '), score);
  console.log(bold(match.text, match.highlights));
}

function bold(snippet: string, highlights: readonly (readonly [number, number])[]): string {
  let marked = '';
  let at = 0;
  for (const [start, end] of highlights) {
    marked += `${snippet.slice(at, start)}**${snippet.slice(start, end)}**`;
    at = end;
  }
  return marked + snippet.slice(at);
}
// #endregion print

// #region folder
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceDocument } from '@vizprompt/rag';

async function* documentsOf(novelId: string, folder: string): AsyncGenerator<SourceDocument> {
  for (const name of await readdir(folder, { recursive: true })) {
    if (!/\.(md|txt)$/.test(name)) continue;
    const filePath = name.replaceAll('\\', '/');
    yield { novelId, filePath, text: await readFile(join(folder, name), 'utf8') };
  }
}

backend.events.on('index:progress', ({ done, chunks }) => console.log(done, 'files,', chunks));
const { indexed, unchanged } = await backend.index(documentsOf('灯台', 'examples/novel'), {
  signal: AbortSignal.timeout(60_000),
});
console.log(indexed, 'files indexed,', unchanged, 'as they were'); // 3 files indexed, 1 as they were
// #endregion folder

// #region update
const path = 'settings/people.md';
const people = await readFile(`examples/novel/${path}`, 'utf8');
const edited = people.replace('十六歳', '十七歳');
const { added, removed, kept } = await backend.updateFile({
  novelId: '灯台',
  filePath: path,
  text: edited,
});
console.log(added, removed, kept); // 1 1 1: only what changed was analysed
await backend.removeByFile({ novelId: '灯台', filePath: 'synonyms.txt' });
// #endregion update

// #region chunk
import { MarkdownChunkingStrategy } from '@vizprompt/rag';

const strategy = new MarkdownChunkingStrategy({ maxTokens: 40, overlap: 0.5 });
for (const chunk of await strategy.chunk({ novelId: '灯台', filePath: 'contents/01.md', text })) {
  const { id, startLine, endLine, content, overlap } = chunk;
  console.log(id, startLine, endLine, content.slice(0, overlap), '|', content.slice(overlap));
}
// #endregion chunk

// #region dictionary
import { compactAnalyzer } from '@vizprompt/rag';

const analyzer = await compactAnalyzer({
  onProgress: (share) => console.log(`the dictionary is compiled: ${Math.round(100 * share)} %`),
  signal: AbortSignal.timeout(120_000),
});
for (const { basic, reading, pos } of analyzer.words('走った')) {
  console.log(basic, reading, pos); // 走る ハシッ 動詞, then た タ 助動詞
}
// #endregion dictionary

// #region synonyms
import { readSynonyms } from '@vizprompt/rag';

const synonyms = readSynonyms(await readFile('examples/novel/synonyms.txt', 'utf8'), analyzer);
await using byName = await SegmentBackend.open({
  folder: './index', // of two that have it open, both see what either writes
  analyzer,
  synonyms,
});
const nickname = await byName.search('灯ちゃんの祖父が埋めた箱');
console.log(nickname.hits[0]?.payload.file);
// #endregion synonyms

// #region query
const { hits: exact } = await backend.search('羅針盤 +箱 -tag:設定 path:*.txt');
const { hits: read } = await backend.search('よみ:らしんばん');
console.log(exact.length, read.length); // 1 1
// #endregion query

// #region options
const page = await backend.search('灯台守', {
  k: 5,
  offset: 0,
  filter: { projects: ['灯台'], files: ['contents/**', 'settings/'], tags: ['本編'] },
  expand: { before: 1, after: 1 },
  explain: true,
  signal: AbortSignal.timeout(1000),
});
console.log(page.total, page.hint);
for (const { context, explanation = [] } of page.hits) {
  console.log(`lines ${context?.start}-${context?.end}:`, context?.text);
  for (const { name, value } of explanation) console.log(name, value.toFixed(3));
}
// #endregion options

// #region pages
let shown = 0;
for await (const { id } of backend.searchAll('灯台', { k: 20 })) {
  console.log(id);
  if (++shown === 100) break; // pages that nobody asks for are not searched
}
// #endregion pages

// #region memory
import { KeywordFlexBackend, segmenterAnalyzer } from '@vizprompt/rag';

await using small = await KeywordFlexBackend.open({
  analyzer: segmenterAnalyzer(), // no dictionary
});
await small.updateFile({ novelId: '灯台', filePath: 'contents/01.md', text });
// #endregion memory

// #region sqlite
import { sqliteDatabase } from '@vizprompt/providers/node';
import { SqliteFtsBackend } from '@vizprompt/rag';

const database = sqliteDatabase({ path: 'app.db' });
const inDatabase = await SqliteFtsBackend.open({ database, analyzer });
await inDatabase.updateFile({ novelId: '灯台', filePath: 'contents/01.md', text });
await inDatabase.close();
await database.close();
// #endregion sqlite

// #region rebuild
const bySegmenter = await SegmentBackend.open({
  folder: './index',
  analyzer: segmenterAnalyzer(), // the index was made with another one
  on: { 'index:discarded': ({ reason }) => console.log('made anew:', reason) },
});
await bySegmenter.ready; // all of it is there again; searches before find what is done so far
console.log((await bySegmenter.stats()).analyzer);
await bySegmenter.close();
// #endregion rebuild

// #region errors
import { SearchError } from '@vizprompt/rag';

try {
  await small.search('/(?<!開け)るな/');
} catch (error) {
  if (!SearchError.isInstance(error)) throw error;
  console.log(error.code, error.position, error.message); // query-invalid 1 ... RE2 has no lookaround: ...
}
// #endregion errors

// #region cache
import { projectPatterns, SearchCache, searchKey } from '@vizprompt/rag';

const cache = new SearchCache({ maxEntries: 200, ttl: 60_000 });
const options = { k: 5, filter: { projects: ['灯台'] } };
const key = searchKey(options.filter.projects, '鍵はどこ？', options);
const found = await cache.remember(key, () => small.search('鍵はどこ？', options));
console.log(found.hits[0]?.snippet);

await small.updateFile({ novelId: '灯台', filePath: 'contents/01.md', text: edited });
for (const pattern of projectPatterns('灯台')) await cache.invalidate(pattern);
// #endregion cache

await backend.close();
