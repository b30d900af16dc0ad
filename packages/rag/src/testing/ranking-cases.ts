import assert from 'node:assert/strict';
import type { ContractCase } from '@vizprompt/providers/testing';
import type { SearchBackend, SearchHit } from '../contract/search-backend.ts';
import type { SearchBackendSubject } from './backend-subject.ts';
import { finds, textsOf, write } from './case-helpers.ts';

/** Sixty chunks that have one to three of the words, so that pages are full of near ones. */
async function writeMany(backend: SearchBackend): Promise<void> {
  const words = ['灯台', '嵐', '海', '島', 'カモメ'];
  for (let file = 0; file < 6; file++) {
    const lines = Array.from({ length: 10 }, (_, at) => {
      const number = file * 10 + at;
      const chosen = words.filter((_word, place) => (number >> place) % 2 === 1);
      return `${chosen.join('の')}と${'猫'.repeat(1 + (number % 3))} ${number}`;
    });
    await write(backend, `${file}.md`, lines.join('\n\n'));
  }
}

const QUERIES = ['灯台', '嵐の海', '灯台と嵐と島とカモメ', '猫 -海', '/猫/', '"嵐の海"'];

/** How chunks are ranked, and in which portions they come. */
export const rankingCases: readonly ContractCase<SearchBackendSubject>[] = [
  {
    name: 'gives scores from 0 to 1, best first',
    async run({ backend }) {
      await writeMany(backend);
      for (const query of QUERIES) {
        const { hits } = await backend.search(query, { k: 60 });
        assert.ok(hits.length > 0, query);
        assertDescending(hits, query);
        for (const { score } of hits) assert.ok(score > 0 && score <= 1, `${query}: ${score}`);
      }
    },
  },
  {
    name: 'gives pages whose scores can be compared: two of them are one of both',
    async run({ backend }) {
      await writeMany(backend);
      for (const query of QUERIES) {
        const whole = await backend.search(query, { k: 14 });
        const first = await backend.search(query, { k: 7 });
        const second = await backend.search(query, { k: 7, offset: 7 });
        assert.deepEqual([...first.hits, ...second.hits], whole.hits, query);
        assert.deepEqual([first.total, second.total], [whole.total, whole.total], query);
      }
      const { total } = await backend.search('猫');
      assert.deepEqual((await backend.search('猫', { offset: total })).hits, []);
    },
  },
  {
    name: 'gives each hit once when all pages are asked for',
    async run({ backend }) {
      await writeMany(backend);
      for (const query of QUERIES) {
        const { hits, total } = await backend.search(query, { k: 60 });
        const all: SearchHit[] = [];
        for await (const hit of backend.searchAll(query, { k: 4 })) all.push(hit);
        assert.deepEqual(all, hits, query);
        assert.equal(all.length, total, query);
      }
      for await (const { content } of backend.searchAll('灯台', { k: 3, offset: 5 })) {
        assert.equal(content, (await backend.search('灯台', { k: 1, offset: 5 })).hits[0]?.content);
        break;
      }
    },
  },
  {
    name: 'finds chunks with any of the words, those with more of them first',
    async run({ backend }) {
      await write(backend, 'a.md', '灯台の朝\n\n灯台と嵐の夜\n\n島の猫\n\n嵐と島');
      const texts = await textsOf(backend, '灯台と嵐はどこ？');
      assert.equal(texts[0], '灯台と嵐の夜');
      assert.deepEqual(texts.toSorted(), ['嵐と島', '灯台と嵐の夜', '灯台の朝'].toSorted());
    },
  },
  {
    name: 'passes over chunks with one of many words while others have more, and else takes them',
    async run({ backend }) {
      await write(backend, 'a.md', '灯台の朝\n\n灯台と嵐の夜\n\n凪の猫');
      await finds(backend, '灯台と嵐と島とカモメと桜と山と川と星', ['灯台と嵐の夜']);
      await finds(backend, '凪と島とカモメと桜と山と川と星と花', ['凪の猫']);
      await finds(backend, '島とカモメと桜と山と川と星と花と雪', []);
    },
  },
  {
    name: 'prefers rare words, words in titles and words that are near each other',
    async run({ backend }) {
      await write(backend, 'a.md', '海の朝\n\n海の夜\n\n海の昼\n\n灯台の昼');
      assert.equal((await textsOf(backend, '海 灯台'))[0], '灯台の昼');
      const far = `鍵${'と猫と島'.repeat(30)}の箱`;
      await write(backend, 'b.md', `${far}\n\n鍵の箱${'と猫と島'.repeat(30)}`);
      assert.notEqual((await textsOf(backend, '鍵の箱'))[0], far);
    },
  },
  {
    name: 'explains a score by parts that add up to it',
    async run({ backend }) {
      await writeMany(backend);
      for (const query of QUERIES) {
        const { hits } = await backend.search(query, { k: 60, explain: true });
        for (const { score, explanation = [] } of hits) {
          const sum = explanation.reduce((total, { value }) => total + value, 0);
          assert.ok(Math.abs(sum - score) < 1e-6, `${query}: ${sum} is not ${score}`);
          for (const { name, value } of explanation) assert.ok(name !== '' && value > 0);
        }
      }
      assert.equal((await backend.search('灯台')).hits[0]?.explanation, undefined);
    },
  },
];

function assertDescending(hits: readonly SearchHit[], query: string): void {
  for (const [at, { score }] of hits.entries()) {
    assert.ok(score <= (hits[at - 1]?.score ?? 1), `${query}: hit ${at} is better than before`);
  }
}
