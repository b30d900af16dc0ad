import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openCompact } from '../../support/compact-analyzer.ts';
import { call, connect, openService, textOf } from '../../support/novel-service.ts';

const CHAPTERS = 200;
const novelId = '海の年代記';
const names = ['灯', '渚', '老人', '船長', '双子', '医者', '郵便夫', '祖母', '漁師', '先生'];
const places = ['灯台', '桟橋', '市場', '岬', '図書館', '病院', '温室', '鐘楼', '造船所', '風車'];
const things = [
  '羅針盤',
  '手紙',
  '鍵',
  '古い地図',
  '銀の匙',
  '望遠鏡',
  '人形',
  '楽譜',
  '種',
  '懐中時計',
];

/** Returns a chapter: no two have the same three. */
function chapter(number: number): {
  readonly file: string;
  readonly text: string;
  readonly fact: string;
} {
  const [name, place, thing] = [
    number % 10,
    Math.floor(number / 10) % 10,
    Math.floor(number / 100),
  ].map((digit, at) => [names, places, things][at]?.[digit] ?? '');
  const fact = `${name}は${place}の床下に${thing}を隠した。`;
  const filler = (seed: number): string =>
    Array.from({ length: 6 }, (_, at) => {
      const weather = ['霧', '雨', '晴れ', '雪', '風'][(seed + at) % 5];
      return `その朝は${weather}で、${(seed * 7 + at) % 31}羽の鴎が波の上を飛んでいた。`;
    }).join('');
  const part = `第${Math.floor(number / 100) + 1}部`;
  const parts = [`# 第${number + 1}話`, filler(number), `## 隠し場所`, fact, filler(number + 3)];
  return { file: `${part}/第${number + 1}話.md`, text: `${parts.join('\n\n')}\n`, fact };
}

interface Hit {
  readonly file: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
}

it('goes from an empty folder to answers with citations, through the tools alone', async () => {
  const { service, root } = await openService({}, { analyzer: await openCompact() });
  const client = await connect(service);
  const projects = await call(client, 'list_novel_projects');
  expect(projects.structuredContent).toEqual({ projects: [], total: 0 });
  await mkdir(join(root, novelId));

  await call(client, 'add_novel_setting', {
    novelId,
    file: '人物.md',
    content: '# 灯\n\n灯台守の娘。\n',
  });
  for (let number = 0; number < CHAPTERS; number++) {
    const { file, text } = chapter(number);
    const added = await call(client, 'add_novel_content', { novelId, file, content: text });
    expect(added.isError).not.toBe(true);
  }
  const listed = await call(client, 'list_novel_content', { novelId, offset: 199, limit: 50 });
  expect(listed.structuredContent).toMatchObject({
    files: [{ file: 'contents/第2部/第200話.md' }],
    total: CHAPTERS,
  });
  expect(existsSync(join(root, novelId, '.vizprompt'))).toBe(false);

  const told: number[] = [];
  const first = await client.callTool(
    { name: 'search_novel_content', arguments: { novelId, query: '手紙はどこ？' } },
    { onprogress: ({ progress }) => told.push(progress), timeout: 60_000 },
  );
  expect(first.structuredContent).toMatchObject({ hits: { length: 10 } });
  expect(told.at(-1)).toBe(CHAPTERS + 1);

  let firstHits = 0;
  for (let number = 3; number < CHAPTERS; number += 10) {
    const { file, fact } = chapter(number);
    const query = `${fact.replace('床下', 'どこ').replace(/。$/, '')}のは何話？`;
    const found = await call(client, 'search_novel_content', { novelId, query, limit: 5 });
    const { hits } = found.structuredContent as { readonly hits: readonly Hit[] };
    const hit = hits.find((candidate) => candidate.file === `contents/${file}`);
    expect(hit, `${query} should find ${file}`).toBeDefined();
    if (hits[0] === hit) firstHits++;
    // The cited words are on those lines: for the tool that reads, and in the file itself.
    const lines = { file: hit?.file, startLine: hit?.startLine, endLine: hit?.endLine };
    const read = await call(client, 'get_novel_content', { novelId, ...lines });
    expect(textOf(read)).toContain(hit?.text ?? 'nothing');
    const whole = (await readFile(join(root, novelId, hit?.file ?? ''), 'utf8')).split('\n');
    const cited = whole.slice((hit?.startLine ?? 0) - 1, hit?.endLine).join('\n');
    expect(cited).toContain(hit?.text);
    expect(cited).toContain(fact);
  }
  expect(firstHits).toBeGreaterThanOrEqual(18);

  await call(client, 'add_novel_content', {
    novelId,
    file: chapter(150).file,
    content: '# 第151話\n\n鯨が鐘楼で歌った。\n',
    overwrite: true,
  });
  const after = await call(client, 'search_novel_content', {
    novelId,
    query: '歌った鯨',
    limit: 1,
  });
  expect(after.structuredContent).toMatchObject({
    hits: [{ file: `contents/${chapter(150).file}`, startLine: 1, endLine: 3 }],
  });
});
