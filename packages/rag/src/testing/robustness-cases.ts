import assert from 'node:assert/strict';
import type { ContractCase } from '@vizprompt/providers/testing';
import type { SearchBackendSubject } from './backend-subject.ts';
import { chunkOf, finds, NOVEL, rejectsWith, textsOf, write } from './case-helpers.ts';

/** Texts that software mistreats; the word 嵐 is in each. */
const HOSTILE: readonly string[] = [
  '嵐 \u0000 NUL',
  '嵐 \ud800 high',
  '嵐 \udc00 low \udc00\ud800',
  '嵐 \u202eמרחבا שלום',
  '嵐 👩‍👩‍👧‍👦🇯🇵 𠮷野家',
  '嵐 \u0001\u001b[31m\ufeff',
  '嵐 \'; DROP TABLE x; -- ? $1 %s \\ " \\u0001',
  '嵐 __proto__ constructor hasOwnProperty toString',
  '嵐 か\u3099 ｶﾞ Å Å',
  '嵐 \r\n\u2028\u0085 NEAR AND OR NOT (a OR b) ^*',
];

const QUERIES = [
  '\u0000',
  '\ud800',
  '\udc00',
  '\u202eמרחבا',
  '👩‍👩‍👧‍👦',
  '𠮷野家',
  '__proto__',
  'constructor',
  '*ro*',
  "'; DROP TABLE x; --",
  '"',
  'NEAR(a b)',
  'NOT',
  '\u0001',
  '\\u0001',
  '%',
  'よみ:',
  'tag:',
  '/\\x{10FFFF}/',
];

/** Hostile input, signals, and the end. */
export const robustnessCases: readonly ContractCase<SearchBackendSubject>[] = [
  {
    name: 'keeps any text as it is, and survives any query',
    async run({ backend }) {
      for (const [at, content] of HOSTILE.entries()) {
        const filePath = `${at}.md`;
        await backend.updateChunks({ novelId: NOVEL, filePath }, [
          chunkOf({ filePath, content, title: content, tags: [content] }),
        ]);
      }
      await finds(backend, '嵐', HOSTILE, { k: 50 });
      for (const { content, title, payload, match } of (await backend.search('嵐', { k: 50 }))
        .hits) {
        assert.equal(title, content);
        assert.deepEqual(payload.tags, [content]);
        assert.equal(match.text.slice(...(match.highlights[0] ?? [0, 0])), '嵐');
      }
      for (const query of QUERIES) await backend.search(query, { explain: true });
      assert.deepEqual(await textsOf(backend, '野家'), [HOSTILE[4]]);
      assert.deepEqual(await textsOf(backend, '__proto__'), [HOSTILE[7]]);
      await finds(backend, '嵐', [HOSTILE[1] ?? ''], { filter: { files: ['1.md'] } });
      for (let at = 0; at < HOSTILE.length; at++) {
        assert.equal(await backend.removeByFile({ novelId: NOVEL, filePath: `${at}.md` }), 1);
      }
      assert.equal((await backend.stats()).terms, 0);
    },
  },
  {
    name: 'takes 100,000 characters without a space, and long words',
    async run({ backend }) {
      const syllables = 'あ漢ア字b語';
      const long = Array.from({ length: 100_000 }, (_, at) => syllables[at % 6]).join('');
      await write(backend, 'a.md', `${long} 灯台`);
      await write(backend, 'b.md', `${'嵐'.repeat(20_000)} 灯台`);
      assert.equal((await backend.search('灯台')).total, 2);
      assert.equal((await backend.search('嵐嵐*')).total, 1);
      assert.equal((await backend.search('*嵐')).total, 1);
      await backend.removeByFile({ novelId: NOVEL, filePath: 'b.md' });
      assert.equal((await backend.search('*嵐*')).total, 0);
    },
  },
  {
    name: 'stops when it is aborted, and changes nothing',
    async run({ backend }) {
      await write(backend, 'a.md', '灯台');
      const reason = new Error('enough');
      const signal = AbortSignal.abort(reason);
      const isReason = (error: unknown): boolean => error === reason;
      const ref = { novelId: NOVEL, filePath: 'a.md' };
      const chunk = chunkOf({ content: '嵐' });
      await assert.rejects(backend.search('灯台', { signal }), isReason);
      await assert.rejects(backend.updateFile({ ...ref, text: '嵐' }, { signal }), isReason);
      await assert.rejects(backend.updateChunks(ref, [chunk], { signal }), isReason);
      await assert.rejects(backend.add([chunk], { signal }), isReason);
      await assert.rejects(async () => backend.compact({ signal }), isReason);
      await assert.rejects(async () => {
        for await (const _ of backend.searchAll('灯台', { signal }));
      }, isReason);
      await finds(backend, '灯台 嵐', ['灯台']);
    },
  },
  {
    name: 'refuses arguments that make no sense',
    async run({ backend }) {
      await write(backend, 'a.md', '灯台');
      const options = [
        { k: 0 },
        { k: 1.5 },
        { k: Number.NaN },
        { offset: -1 },
        { expand: { before: -1 } },
      ];
      for (const one of options) {
        await rejectsWith('invalid-input', () => backend.search('灯台', one));
      }
      const ref = { novelId: NOVEL, filePath: '' };
      await rejectsWith('invalid-input', () => backend.updateFile({ ...ref, text: '灯台' }));
      const chunk = chunkOf({ content: '灯台', overlap: 9 });
      await rejectsWith('invalid-input', () => backend.add([chunk]));
    },
  },
  {
    name: 'does nothing any more when it is closed, and may be closed twice',
    async run({ backend }) {
      await write(backend, 'a.md', '灯台');
      await backend.close();
      await backend.close();
      await backend[Symbol.asyncDispose]();
      await rejectsWith('closed', () => backend.search('灯台'));
      await rejectsWith('closed', () => write(backend, 'a.md', '嵐'));
      await rejectsWith('closed', async () => backend.stats());
      await rejectsWith('closed', () => backend.add([chunkOf({ content: '嵐' })]));
    },
  },
];

/** For backends that store what they hold. */
export const persistenceCases: readonly ContractCase<SearchBackendSubject>[] = [
  {
    name: 'answers the same when it is opened again',
    async run({ backend, reopen }) {
      await write(backend, 'a.md', '灯台の朝\n\n嵐の夜', ['本編']);
      await write(backend, 'b.md', '嵐の海');
      await backend.removeByFile({ novelId: NOVEL, filePath: 'b.md' });
      const before = await backend.search('灯台と嵐', { explain: true });
      const again = await reopen();
      assert.deepEqual(await again.search('灯台と嵐', { explain: true }), before);
      await write(again, 'b.md', '嵐の島');
      await finds(again, '島', ['嵐の島']);
      await again.close();
    },
  },
  {
    name: 'analyses everything again for another analyser',
    async run({ backend, reopen }) {
      await write(backend, 'a.md', '灯台の朝\n\n嵐の夜', ['本編']);
      const before = await backend.search('灯台と嵐');
      const again = await reopen('script-2');
      const end = performance.now() + 10_000;
      while ((await again.search('嵐')).total === 0 && performance.now() < end) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      assert.deepEqual(await again.search('灯台と嵐'), before);
      assert.equal((await again.stats()).analyzer, 'script-2');
      await again.close();
    },
  },
];
