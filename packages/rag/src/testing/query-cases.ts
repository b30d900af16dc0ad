import assert from 'node:assert/strict';
import type { ContractCase } from '@vizprompt/providers/testing';
import { SearchError } from '../errors.ts';
import type { SearchBackend } from '../contract/search-backend.ts';
import type { SearchBackendSubject } from './backend-subject.ts';
import { chunkOf, finds, NOVEL, rejectsWith, write } from './case-helpers.ts';

async function writeFive(backend: SearchBackend): Promise<void> {
  await write(backend, 'contents/01.md', '灯台守の娘は嵐の夜に走った。', ['本編']);
  await write(backend, 'contents/02.md', '娘の灯台守は第12章で眠る。', ['本編', '草稿']);
  await write(backend, 'settings/人物.md', '嵐のあとの海岸とｻｰﾊﾞｰ。', ['人物']);
  await backend.updateFile({ novelId: '別', filePath: 'contents/01.md', text: '別の嵐。' });
  await backend.updateChunks({ novelId: NOVEL, filePath: 'notes.md' }, [
    chunkOf({
      filePath: 'notes.md',
      title: '灯台の鍵',
      headingPath: ['設定集', '灯台の鍵'],
      content: '真鍮で出来ている。',
    }),
  ]);
}

const DAUGHTER = '灯台守の娘は嵐の夜に走った。';
const KEEPER = '娘の灯台守は第12章で眠る。';
const PEOPLE = '嵐のあとの海岸とｻｰﾊﾞｰ。';
const OTHER = '別の嵐。';
const KEY = '真鍮で出来ている。';

/** Queries, and the texts that they find. */
const EXPECTED: readonly (readonly [query: string, texts: readonly string[]])[] = [
  ['嵐', [DAUGHTER, PEOPLE, OTHER]],
  ['"灯台守の娘"', [DAUGHTER]],
  ['“灯台守の娘”', [DAUGHTER]],
  ['"守の娘"', [DAUGHTER]],
  ['嵐 -"灯台守の娘"', [PEOPLE, OTHER]],
  ['+嵐 +娘', [DAUGHTER]],
  ['嵐 ＋娘', [DAUGHTER, KEEPER]],
  ['嵐 -娘', [PEOPLE, OTHER]],
  ['+嵐 -娘 -別', [PEOPLE]],
  ['海*', [PEOPLE]],
  ['*岸', [PEOPLE]],
  ['*台*', [DAUGHTER, KEEPER, KEY]],
  ['灯*', [DAUGHTER, KEEPER, KEY]],
  ['*鍵', [KEY]],
  ['+*台* +*守*', [DAUGHTER, KEEPER]],
  ['*岬*', []],
  ['/第[0-9]+章/', [KEEPER]],
  ['嵐 -/夜に/', [PEOPLE, OTHER]],
  ['/嵐.*[夜岸]/ -tag:人物', [DAUGHTER]],
  ['tag:本編', [DAUGHTER, KEEPER]],
  ['tag:本編 -tag:草稿', [DAUGHTER]],
  ['嵐 tag:人物', [PEOPLE]],
  ['path:contents/**', [DAUGHTER, KEEPER, OTHER]],
  ['嵐 path:settings/*.md', [PEOPLE]],
  ['嵐 -path:contents/**', [PEOPLE]],
  ['title:鍵', [KEY]],
  ['title:"灯台の鍵"', [KEY]],
  ['title:嵐', []],
  ['設定集', [KEY]],
  ['サーバー', [PEOPLE]],
  ['よみ:とうだい', [DAUGHTER, KEEPER, KEY]],
  ['とうだい', [DAUGHTER, KEEPER, KEY]],
  ['カギ', [KEY]],
  ['海 +*海*', [PEOPLE]],
  ['の', [DAUGHTER, KEEPER, PEOPLE, OTHER, KEY]],
  ['岬', []],
];

const EMPTY = ['', ' ', '　\n\t', '!?', '""', '//', '*', '-', '+'];

/** The query language, and filters. */
export const queryCases: readonly ContractCase<SearchBackendSubject>[] = [
  {
    name: 'understands the query language',
    async run({ backend }) {
      await writeFive(backend);
      for (const [query, texts] of EXPECTED) await finds(backend, query, texts);
    },
  },
  {
    name: 'filters by project, path and tags',
    async run({ backend }) {
      await writeFive(backend);
      const filtered = (filter: object): Promise<void> =>
        finds(backend, '嵐', [DAUGHTER], { filter });
      await filtered({ projects: [NOVEL], files: ['contents/01.md'] });
      await filtered({ projects: [NOVEL], files: ['contents/**', 'x.md'] });
      await filtered({ tags: ['本編'] });
      await finds(backend, '嵐', [OTHER], { filter: { projects: ['別'] } });
      await finds(backend, '嵐', [DAUGHTER, OTHER], { filter: { files: ['01.md', 'contents/'] } });
      await finds(backend, '灯台守', [KEEPER], { filter: { tags: ['本編', '草稿'] } });
      await finds(backend, '嵐 -tag:本編', [OTHER], { filter: { files: ['contents/*'] } });
      for (const filter of [{ projects: [] }, { files: [] }, { projects: ['無い'] }]) {
        await finds(backend, '嵐', [], { filter });
      }
      const [hit] = (await backend.search('嵐', { filter: { tags: ['人物'] }, k: 1 })).hits;
      assert.equal(hit?.content, PEOPLE);
    },
  },
  {
    name: 'says where a regular expression goes wrong, also when there is nothing to search',
    async run({ backend }) {
      const check = async (): Promise<void> => {
        const error = await rejectsWith('query-invalid', () => backend.search('嵐 /第(章/'));
        assert.ok(SearchError.isInstance(error));
        assert.ok(error.position !== undefined && error.position >= 3, String(error.position));
        await rejectsWith('query-invalid', () => backend.search('嵐'.repeat(5000)));
      };
      await check();
      await writeFive(backend);
      await check();
    },
  },
  {
    name: 'matches regular expressions in linear time',
    async run({ backend }) {
      await write(backend, 'a.md', `${'a'.repeat(5000)}!`);
      const start = performance.now();
      await finds(backend, '/(a+)+$/', []);
      assert.ok(performance.now() - start < 5000);
    },
  },
  {
    name: 'finds nothing for a query that asks for nothing, and gives a hint',
    async run({ backend }) {
      await writeFive(backend);
      for (const query of EMPTY) {
        const { hits, total } = await backend.search(query);
        assert.deepEqual([hits, total], [[], 0], JSON.stringify(query));
      }
      for (const query of ['', '岬', '+岬 嵐', 'tag:無い', '"無い"']) {
        const { hint = '' } = await backend.search(query);
        assert.notEqual(hint, '', query);
      }
      assert.equal((await backend.search('嵐')).hint, undefined);
    },
  },
];
