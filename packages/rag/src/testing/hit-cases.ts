import assert from 'node:assert/strict';
import type { ContractCase } from '@vizprompt/providers/testing';
import type { SearchBackendSubject } from './backend-subject.ts';
import { chunkOf, NOVEL, write } from './case-helpers.ts';

const ref = { novelId: NOVEL, filePath: 'a.md' };

/** The content of a hit. */
export const hitCases: readonly ContractCase<SearchBackendSubject>[] = [
  {
    name: 'describes each hit, with its place',
    async run({ backend }) {
      const chunk = chunkOf({
        title: '出会い',
        headingPath: ['第一章', '出会い'],
        content: '嵐の夜。\n灯台の朝。',
        startLine: 12,
        endLine: 13,
        tags: ['本編'],
      });
      await backend.updateChunks(ref, [chunk]);
      const [hit] = (await backend.search('嵐')).hits;
      assert.ok(hit);
      const { score: _, match: __, snippet: ___, ...rest } = hit;
      assert.deepEqual(rest, {
        id: chunk.id,
        payload: { file: 'a.md', start: 12, end: 13, tags: ['本編'] },
        novelId: NOVEL,
        title: '出会い',
        headingPath: ['第一章', '出会い'],
        content: '嵐の夜。\n灯台の朝。',
      });
      await write(backend, 'a.md', '嵐');
      const [bare] = (await backend.search('嵐')).hits;
      assert.deepEqual(bare?.payload, { file: 'a.md', start: 1, end: 1 });
    },
  },
  {
    name: 'says in which columns a passage is, also after it moved within its line',
    async run({ backend }) {
      const at = async (startColumn: number, extra = {}): Promise<object | undefined> => {
        const place = { startLine: 3, endLine: 3, startColumn, ...extra };
        const report = await backend.updateChunks(ref, [
          chunkOf({ content: '嵐の灯台🐈', ...place }),
          chunkOf({ content: '海\n猫', chunkIndex: 1, startLine: 3, endLine: 4, startColumn: 40 }),
        ]);
        assert.equal(report.added + report.kept, 2);
        return (await backend.search('嵐')).hits[0]?.payload;
      };
      const lines = { file: 'a.md', start: 3, end: 3 };
      assert.deepEqual(await at(7), { ...lines, startColumn: 7, endColumn: 12 });
      assert.deepEqual(await at(70_000), { ...lines, startColumn: 70_000, endColumn: 70_005 });
      const [below] = (await backend.search('猫')).hits;
      const payload = { file: 'a.md', start: 3, end: 4, startColumn: 40, endColumn: 1 };
      assert.deepEqual(below?.payload, payload);
    },
  },
  {
    name: 'shows a verbatim piece of at most 240 units, and marks exactly what was asked for',
    async run({ backend }) {
      const filler = 'と猫は島で🐈眠る。'.repeat(60);
      await write(backend, 'a.md', `${filler}嵐の灯台に、ｻｰﾊﾞｰがある。${filler}`);
      for (const [query, marked] of [
        ['嵐と灯台', ['嵐', '灯台']],
        ['サーバー', ['ｻｰﾊﾞｰ']],
        ['"嵐の灯台"', ['嵐の灯台']],
        ['/に、./', ['に、ｻ']],
        ['*灯*', ['灯台']],
      ] as const) {
        const [hit] = (await backend.search(query)).hits;
        assert.ok(hit, query);
        const { text, highlights } = hit.match;
        assert.equal(text, hit.snippet);
        assert.ok(text.length <= 240 && text.isWellFormed(), query);
        assert.ok(hit.content.includes(text), query);
        let last = 0;
        for (const [start, end] of highlights) {
          assert.ok(start >= last && end > start && end <= text.length, query);
          last = end;
        }
        const texts = highlights.map(([start, end]) => text.slice(start, end));
        for (const word of marked) {
          assert.ok(
            texts.some((one) => one.includes(word)),
            `${query}: ${texts.join('|')}`,
          );
        }
        const extra = texts.filter((one) => !marked.some((word) => one.includes(word)));
        assert.deepEqual(extra, [], query);
      }
    },
  },
  {
    name: 'never shows what a chunk only repeats of the one before',
    async run({ backend }) {
      const [first, second] = ['灯台の朝に嵐が来た。', '島の猫は眠る。'];
      await backend.updateChunks(ref, [
        chunkOf({ content: first }),
        chunkOf({
          content: `嵐が来た。${second}`,
          overlap: 5,
          startLine: 2,
          endLine: 2,
          chunkIndex: 1,
        }),
      ]);
      for (const query of ['嵐', '猫', '/来た/', '"嵐が来た"', '嵐と猫']) {
        const { hits } = await backend.search(query, { expand: { before: 1, after: 1 } });
        for (const { content, snippet, context, match } of hits) {
          assert.ok(content === first || content === second, content);
          assert.ok(content.includes(snippet), snippet);
          assert.equal(context?.text, `${first}\n${second}`);
          for (const [start, end] of match.highlights) assert.ok(end > start);
        }
      }
    },
  },
  {
    name: 'shows the neighbours of a hit in the same document when asked to',
    async run({ backend }) {
      await write(backend, 'a.md', '一の朝\n\n二の夜\n二の昼\n\n三の嵐\n\n四の海\n\n五の島');
      await write(backend, 'b.md', '六の嵐');
      const contextOf = async (expand: object): Promise<unknown> =>
        (await backend.search('三 嵐', { k: 1, expand })).hits[0]?.context;
      assert.deepEqual(await contextOf({ before: 1, after: 1 }), {
        text: '二の夜\n二の昼\n\n三の嵐\n\n四の海',
        start: 3,
        end: 8,
      });
      assert.deepEqual(await contextOf({ after: 1 }), {
        text: '三の嵐\n\n四の海',
        start: 6,
        end: 8,
      });
      const all = await contextOf({ before: 9, after: 9 });
      assert.deepEqual(all, {
        text: '一の朝\n\n二の夜\n二の昼\n\n三の嵐\n\n四の海\n\n五の島',
        start: 1,
        end: 10,
      });
      assert.equal((await backend.search('嵐')).hits[0]?.context, undefined);
    },
  },
];
