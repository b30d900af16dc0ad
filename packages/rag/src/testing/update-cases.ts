import assert from 'node:assert/strict';
import type { ContractCase } from '@vizprompt/providers/testing';
import { UNANALYZABLE, type SearchBackendSubject } from './backend-subject.ts';
import { answersOf, chunkOf, finds, NOVEL, rejectsWith, textsOf, write } from './case-helpers.ts';

const ref = { novelId: NOVEL, filePath: 'a.md' };

/** The results of changes. */
export const updateCases: readonly ContractCase<SearchBackendSubject>[] = [
  {
    name: 'finds what was written from the next call on',
    async run({ backend }) {
      await write(backend, 'a.md', '灯台の朝\n\n嵐の夜');
      await finds(backend, '嵐', ['嵐の夜']);
      await backend.updateChunks({ ...ref, filePath: 'b.md' }, [
        chunkOf({ filePath: 'b.md', content: '嵐の海' }),
      ]);
      await finds(backend, '嵐', ['嵐の夜', '嵐の海']);
      await backend.add([chunkOf({ filePath: 'c.md', content: '嵐の島' })]);
      await finds(backend, '嵐', ['嵐の夜', '嵐の海', '嵐の島']);
    },
  },
  {
    name: 'adds chunks to those of a document, and replaces those with equal ids',
    async run({ backend }) {
      await write(backend, 'a.md', '灯台の朝');
      async function* later(): AsyncGenerator<ReturnType<typeof chunkOf>> {
        yield chunkOf({ content: '嵐の夜', chunkIndex: 1, startLine: 3, endLine: 3 });
      }
      await backend.add(later());
      await finds(backend, '灯台 嵐', ['灯台の朝', '嵐の夜']);
      await backend.add([
        chunkOf({ content: '嵐の夜', chunkIndex: 1, startLine: 7, endLine: 8, tags: ['夜'] }),
      ]);
      await finds(backend, '嵐', ['嵐の夜']);
      const [hit] = (await backend.search('嵐')).hits;
      assert.deepEqual(hit?.payload, { file: 'a.md', start: 7, end: 8, tags: ['夜'] });
      assert.equal((await backend.stats()).chunks, 2);
    },
  },
  {
    name: 'forgets a removed document at once: no hit, not in the total, not in the figures',
    async run({ backend }) {
      await write(backend, 'a.md', '灯台の朝\n\n嵐の夜\n\nカモメ');
      await write(backend, 'b.md', '嵐の海');
      assert.equal(await backend.removeByFile(ref), 3);
      await finds(backend, '灯台', []);
      await finds(backend, '嵐', ['嵐の海']);
      await finds(backend, '/嵐/', ['嵐の海']);
      const { chunks, documents, terms } = await backend.stats();
      assert.deepEqual({ chunks, documents, terms }, { chunks: 1, documents: 1, terms: 2 });
      assert.equal(await backend.removeByFile(ref), 0);
    },
  },
  {
    name: 'replaces a document, and reports the changes',
    async run({ backend }) {
      const document = { ...ref, text: '灯台の朝\n\n嵐の夜\n\n島の猫' };
      assert.deepEqual(await backend.updateFile(document), { added: 3, removed: 0, kept: 0 });
      assert.deepEqual(await backend.updateFile(document), { added: 0, removed: 0, kept: 3 });
      const changed = { ...ref, text: '灯台の朝\n\n凪の夜\n\n島の猫' };
      assert.deepEqual(await backend.updateFile(changed), { added: 1, removed: 1, kept: 2 });
      await finds(backend, '嵐', []);
      await finds(backend, '凪 灯台 猫', ['灯台の朝', '凪の夜', '島の猫']);
      await backend.updateFile({ ...ref, text: '' });
      assert.equal((await backend.stats()).documents, 0);
    },
  },
  {
    name: 'analyses only chunks that changed, and knows where the others are now',
    async run({ backend, analyzed }) {
      await write(backend, 'a.md', '灯台の朝\n\n嵐の夜\n\n島の猫');
      const before = analyzed.length;
      await write(backend, 'a.md', '前書き\n\n灯台の朝\n\n嵐の夜\n\n島の猫');
      const texts = analyzed.slice(before).filter((text) => text.trim() !== '');
      assert.deepEqual([...new Set(texts)], ['前書き']);
      const [hit] = (await backend.search('嵐')).hits;
      assert.deepEqual([hit?.payload.start, hit?.payload.end], [5, 5]);
      const next = (await backend.search('嵐', { expand: { before: 9 } })).hits[0]?.context;
      assert.deepEqual(next, { text: '前書き\n\n灯台の朝\n\n嵐の夜', start: 1, end: 5 });
    },
  },
  {
    name: 'changes nothing when an update fails',
    async run({ backend }) {
      await write(backend, 'a.md', '灯台の朝\n\n嵐の夜');
      const before = await answersOf(backend, ['灯台 嵐 凪']);
      const good = chunkOf({ content: '凪の夜' });
      const foreign = chunkOf({ content: '凪の海', filePath: 'b.md', chunkIndex: 1 });
      const placeless = chunkOf({ content: '凪の海', startLine: 0, chunkIndex: 1 });
      for (const bad of [foreign, placeless]) {
        await rejectsWith('invalid-input', () => backend.updateChunks(ref, [good, bad]));
      }
      await rejectsWith('invalid-input', () => backend.add([good, placeless]));
      const broken = chunkOf({ content: `凪の${UNANALYZABLE}`, chunkIndex: 1 });
      await assert.rejects(backend.updateChunks(ref, [good, broken]));
      await assert.rejects(backend.add([good, broken]));
      assert.deepEqual(await answersOf(backend, ['灯台 嵐 凪']), before);
      assert.equal((await backend.stats()).chunks, 2);
    },
  },
  {
    name: 'never shows half of an update to those who search meanwhile',
    async run({ backend }) {
      const version = (word: string): string =>
        Array.from({ length: 12 }, (_, at) => `${word}の灯台${at}`).join('\n\n');
      await write(backend, 'a.md', version('嵐'));
      const state = { isDone: false, looks: 0 };
      const updates = (async () => {
        for (const word of ['凪', '嵐', '凪', '嵐', '凪', '嵐']) {
          await write(backend, 'a.md', version(word));
        }
      })().finally(() => {
        state.isDone = true;
      });
      // Where a scan fails, pending writes are not waited for.
      updates.catch(() => undefined);
      while (!state.isDone || state.looks < 3) {
        const texts = await textsOf(backend, '灯台', { k: 50 });
        const words = new Set(texts.map((text) => text.charAt(0)));
        assert.equal(texts.length, 12);
        assert.equal(words.size, 1, 'chunks of two versions');
        state.looks++;
        await new Promise(setImmediate);
      }
      await updates;
    },
  },
  {
    name: 'keeps all of many updates at the same time',
    async run({ backend }) {
      const files = Array.from({ length: 12 }, (_, at) => `${at}.md`);
      await Promise.all(files.map((file) => write(backend, file, `灯台 ${file}\n\n嵐 ${file}`)));
      assert.equal((await backend.search('灯台', { k: 50 })).total, 12);
      const { chunks, documents } = await backend.stats();
      assert.deepEqual({ chunks, documents }, { chunks: 24, documents: 12 });
    },
  },
  {
    name: 'ranks after many changes as an index that was built afresh',
    async run({ backend, another }) {
      const queries = ['灯台', '嵐の海と島', '灯台 嵐 猫 カモメ', '"嵐の海"', '灯* -猫'];
      for (let round = 0; round < 12; round++) {
        const noise = Array.from({ length: round % 4 }, (_, at) => `嵐の島${round}${at}`);
        await write(backend, 'noise.md', noise.join('\n\n'));
        await write(backend, `${round % 3}.md`, `灯台と嵐${round}\n\n海の猫\n\nカモメ`);
      }
      await backend.removeByFile({ novelId: NOVEL, filePath: '1.md' });
      await write(backend, 'noise.md', '嵐の海と灯台');
      const fresh = await another();
      await write(fresh, 'noise.md', '嵐の海と灯台');
      await write(fresh, '2.md', '灯台と嵐11\n\n海の猫\n\nカモメ');
      await write(fresh, '0.md', '灯台と嵐9\n\n海の猫\n\nカモメ');
      assert.deepEqual(await answersOf(backend, queries), await answersOf(fresh, queries));
    },
  },
  {
    name: 'answers the same after it was compacted',
    async run({ backend }) {
      for (const text of ['灯台', '灯台と嵐\n\n嵐の海', '灯台と嵐\n\n凪の海\n\n島の猫']) {
        await write(backend, 'a.md', text);
        await write(backend, 'b.md', `${text}\n\n海のカモメ`);
      }
      const queries = ['灯台', '嵐の海', '猫とカモメ', '*海*'];
      const before = await answersOf(backend, queries);
      const { bytes: _, ...figures } = await backend.stats();
      await backend.compact();
      assert.deepEqual(await answersOf(backend, queries), before);
      const { bytes: __, ...after } = await backend.stats();
      assert.deepEqual(after, figures);
    },
  },
  {
    name: 'keeps documents of different projects apart, whatever their names',
    async run({ backend }) {
      const names = [
        ['一', 'a.md'],
        ['二', 'a.md'],
        ['a\u0000b', 'c'],
        ['a', 'b\u0000c'],
        ['\ud800', '"\'%_\\.md'],
      ] as const;
      for (const [novelId, filePath] of names) {
        await backend.updateFile({ novelId, filePath, text: '灯台' });
      }
      const { hits } = await backend.search('灯台');
      const found = hits.map(({ novelId, payload }) => JSON.stringify([novelId, payload.file]));
      assert.deepEqual(found.toSorted(), names.map((name) => JSON.stringify(name)).toSorted());
      assert.equal(await backend.removeByFile({ novelId: '一', filePath: 'a.md' }), 1);
      assert.equal((await backend.search('灯台')).total, 4);
    },
  },
];
