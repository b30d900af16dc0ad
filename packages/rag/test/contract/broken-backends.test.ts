import { runContract } from '@vizprompt/providers/testing';
import { expect, it } from 'vitest';
import { KeywordFlexBackend } from '../../src/backends/keyword-flex-backend.ts';
import type { SearchBackend, SearchHit, SearchResults } from '../../src/contract/search-backend.ts';
import { openSubject, searchBackendCases, type BackendParts } from '../../src/testing/index.ts';

// A suite that lets a broken backend pass proves nothing. Each of these has one fault, and the case
// that speaks of it must find it.

type Break = (sound: SearchBackend, parts: BackendParts) => Partial<SearchBackend>;

const mapHits =
  (
    change: (hit: SearchHit, at: number, hits: readonly SearchHit[]) => SearchHit | undefined,
  ): Break =>
  (sound) => ({
    async search(query, options) {
      const results = await sound.search(query, options);
      const hits = results.hits.flatMap((hit, at) => change(hit, at, results.hits) ?? []);
      return { ...results, hits };
    },
  });

const mapQuery =
  (change: (query: string) => string): Break =>
  (sound) => ({ search: (query, options) => sound.search(change(query), options) });

const broken: Record<string, [breakIt: Break, finds: string]> = {
  'deletes are forgotten': [
    () => ({ removeByFile: async () => 3 }),
    'forgets a removed document at once: no hit, not in the total, not in the figures',
  ],
  'deleted chunks are counted': [
    (sound) => {
      let gone = 0;
      return {
        async removeByFile(document) {
          const count = await sound.removeByFile(document);
          gone += count;
          return count;
        },
        async search(query, options) {
          const results = await sound.search(query, options);
          return { ...results, total: results.total + gone };
        },
      };
    },
    'forgets a removed document at once: no hit, not in the total, not in the figures',
  ],
  'what is written shows later': [
    (sound) => ({
      async updateFile(document) {
        setTimeout(() => void sound.updateFile(document).catch(() => undefined), 200);
        return { added: 1, removed: 0, kept: 0 };
      },
    }),
    'finds what was written from the next call on',
  ],
  'adding replaces the document': [
    (sound) => ({
      async add(chunks) {
        for await (const chunk of chunks) await sound.updateChunks(chunk, [chunk]);
      },
    }),
    'adds chunks to those of a document, and replaces those with equal ids',
  ],
  'everything is analysed again': [
    (sound) => ({
      async updateFile(document, options) {
        await sound.removeByFile(document);
        return sound.updateFile(document, options);
      },
    }),
    'analyses only chunks that changed, and knows where the others are now',
  ],
  'chunks that moved keep their lines': [
    (sound) => {
      const lines = new Map<string, SearchHit['payload']>();
      return mapHits((hit) => {
        const payload = lines.get(hit.id) ?? hit.payload;
        return { ...hit, payload };
      })(
        {
          ...bound(sound),
          async search(query, options) {
            const results = await sound.search(query, options);
            for (const { id, payload } of results.hits) if (!lines.has(id)) lines.set(id, payload);
            return results;
          },
        },
        never,
      );
    },
    'adds chunks to those of a document, and replaces those with equal ids',
  ],
  'an update stops half way': [
    (sound) => ({
      async updateChunks(document, chunks, options) {
        await sound.removeByFile(document);
        for (const chunk of chunks) await sound.add([chunk], options);
        return { added: chunks.length, removed: 0, kept: 0 };
      },
    }),
    'changes nothing when an update fails',
  ],
  'an update is written chunk by chunk': [
    (sound, { chunking }) => ({
      async updateFile(document) {
        await sound.removeByFile(document);
        for (const chunk of await chunking.chunk(document)) {
          await sound.add([chunk]);
          await new Promise(setImmediate);
        }
        return { added: 1, removed: 0, kept: 0 };
      },
    }),
    'never shows half of an update to those who search meanwhile',
  ],
  'of updates at the same time one is lost': [
    (sound) => {
      let running = 0;
      return {
        async updateFile(document) {
          running++;
          await new Promise(setImmediate);
          try {
            if (running > 1) return { added: 1, removed: 0, kept: 0 };
            return await sound.updateFile(document);
          } finally {
            running--;
          }
        },
      };
    },
    'keeps all of many updates at the same time',
  ],
  'scores depend on how many changes there were': [
    (sound) => {
      let changes = 0;
      return {
        async updateFile(document, options) {
          changes++;
          return sound.updateFile(document, options);
        },
        ...mapHits((hit) => ({ ...hit, score: hit.score / (1 + changes / 100) }))(sound, never),
      };
    },
    'ranks after many changes as an index that was built afresh',
  ],
  'compacting loses a document': [
    (sound) => ({
      async compact() {
        await sound.removeByFile({ novelId: '灯台', filePath: 'b.md' });
      },
    }),
    'answers the same after it was compacted',
  ],
  'projects share their documents': [
    (sound, { chunking }) => ({
      async updateFile(document) {
        const one = { ...document, novelId: '一' };
        return sound.updateChunks(one, await chunking.chunk(one));
      },
    }),
    'keeps documents of different projects apart, whatever their names',
  ],
  'scores are relative to the page': [
    mapHits((hit, _at, [best]) => ({ ...hit, score: hit.score / (best?.score ?? 1) })),
    'gives pages whose scores can be compared: two of them are one of both',
  ],
  'scores are those of BM25': [
    mapHits((hit) => ({ ...hit, score: hit.score * 17 })),
    'gives scores from 0 to 1, best first',
  ],
  'the worst come first': [
    mapHits((_, at, hits) => hits.at(-1 - at)),
    'gives scores from 0 to 1, best first',
  ],
  'the total is that of the page': [
    (sound) => ({
      async search(query, options) {
        const results = await sound.search(query, options);
        return { ...results, total: results.hits.length };
      },
    }),
    'gives pages whose scores can be compared: two of them are one of both',
  ],
  'pages overlap': [
    (sound) => ({
      async *searchAll(query, options = {}) {
        const { k = 10 } = options;
        for (let offset = 0; ; offset += Math.max(1, k - 1)) {
          const { hits } = await sound.search(query, { ...options, offset });
          yield* hits;
          if (hits.length < k) return;
        }
      },
    }),
    'gives each hit once when all pages are asked for',
  ],
  'all words must be there': [
    mapQuery((query) => query.replaceAll(/(?<=^|\s|と)(?=[灯嵐])/gu, ' +')),
    'finds chunks with any of the words, those with more of them first',
  ],
  'one of many words is enough': [
    (sound) => ({
      async search(query, options) {
        const words = query.split('と');
        if (words.length < 4 || query.includes('/')) return sound.search(query, options);
        return sound.search(words.slice(0, 3).join('と'), options);
      },
    }),
    'passes over chunks with one of many words while others have more, and else takes them',
  ],
  'explanations are of another scale': [
    mapHits(({ explanation, ...hit }) => {
      const parts = explanation?.map(({ name, value }) => ({ name, value: value * 10 }));
      return parts ? { ...hit, explanation: parts } : hit;
    }),
    'explains a score by parts that add up to it',
  ],
  'quotes are passed over': [
    mapQuery((query) => query.replaceAll('"', ' ')),
    'understands the query language',
  ],
  'a minus is passed over': [
    mapQuery((query) => query.replaceAll(/(?<=^| )-/gu, '')),
    'understands the query language',
  ],
  'filters are passed over': [
    (sound) => ({
      search: (query, { filter: _, ...options } = {}) => sound.search(query, options),
    }),
    'filters by project, path and tags',
  ],
  'filters come after the page was cut': [
    (sound) => ({
      async search(query, { filter, ...options } = {}) {
        if (!filter?.tags) return sound.search(query, { ...options, ...(filter && { filter }) });
        const results = await sound.search(query, options);
        const { hits } = await sound.search(query, { filter, k: 99 });
        const ids = new Set(hits.map(({ id }) => id));
        const left = results.hits.filter(({ id }) => ids.has(id));
        return { ...results, hits: left, total: hits.length };
      },
    }),
    'filters by project, path and tags',
  ],
  'a bad expression finds nothing': [
    (sound) => ({
      search: (query, options) => sound.search(query, options).catch(nothing),
    }),
    'says where a regular expression goes wrong, also when there is nothing to search',
  ],
  'there is never a hint': [
    (sound) => ({
      async search(query, options) {
        const { hint: _, ...results } = await sound.search(query, options);
        return results;
      },
    }),
    'finds nothing for a query that asks for nothing, and gives a hint',
  ],
  'headings are lost': [
    mapHits((hit) => ({ ...hit, headingPath: [] })),
    'describes each hit, with its place',
  ],
  'snippets are too long': [
    mapHits((hit) => ({
      ...hit,
      snippet: hit.content,
      match: { text: hit.content, highlights: hit.match.highlights },
    })),
    'shows a verbatim piece of at most 240 units, and marks exactly what was asked for',
  ],
  'marks are off by one': [
    mapHits((hit) => {
      const highlights = hit.match.highlights.map(([start, end]) => [start + 1, end] as const);
      return { ...hit, match: { ...hit.match, highlights } };
    }),
    'shows a verbatim piece of at most 240 units, and marks exactly what was asked for',
  ],
  'the overlap is shown': [
    mapHits((hit) => ({ ...hit, content: `嵐が来た。${hit.content}` })),
    'never shows what a chunk only repeats of the one before',
  ],
  'neighbours are those of the pages': [
    mapHits((hit, at, hits) => {
      const { context, ...rest } = hit;
      if (!context) return hit;
      const text = [hits[at - 1], hit, hits[at + 1]].map((one) => one?.content ?? '').join('\n');
      return { ...rest, context: { ...context, text } };
    }),
    'shows the neighbours of a hit in the same document when asked to',
  ],
  'text is repaired': [
    (sound) => ({
      updateChunks: (document, chunks, options) =>
        sound.updateChunks(
          document,
          chunks.map((chunk) => {
            const content = chunk.content.toWellFormed().replaceAll('\u0000', '');
            return Object.assign(Object.create(chunk), { content });
          }),
          options,
        ),
    }),
    'keeps any text as it is, and survives any query',
  ],
  'signals are passed over': [
    (sound) => ({
      updateFile: (document) => sound.updateFile(document),
    }),
    'stops when it is aborted, and changes nothing',
  ],
  'any number of hits is right': [
    (sound) => ({
      search: (query, options = {}) =>
        sound.search(query, { ...options, k: Math.max(1, Math.trunc(options.k ?? 10) || 1) }),
    }),
    'refuses arguments that make no sense',
  ],
  'it answers when it is closed': [
    () => ({ close: async () => {}, [Symbol.asyncDispose]: async () => {} }),
    'does nothing any more when it is closed, and may be closed twice',
  ],
};

const nothing = (): SearchResults => ({ hits: [], total: 0, hint: 'none' });
const never = undefined as never;

/** Returns a copy whose methods can be replaced. */
function bound(sound: SearchBackend): SearchBackend {
  return {
    specVersion: 1,
    add: sound.add.bind(sound),
    removeByFile: sound.removeByFile.bind(sound),
    updateFile: sound.updateFile.bind(sound),
    updateChunks: sound.updateChunks.bind(sound),
    search: sound.search.bind(sound),
    searchAll: sound.searchAll.bind(sound),
    stats: sound.stats.bind(sound),
    compact: sound.compact.bind(sound),
    close: sound.close.bind(sound),
    [Symbol.asyncDispose]: sound[Symbol.asyncDispose].bind(sound),
  };
}

for (const [fault, [breakIt, finds]] of Object.entries(broken)) {
  it(`the suite finds that ${fault}`, async () => {
    const cases = searchBackendCases.filter(({ name }) => name === finds);
    expect(cases).toHaveLength(1);
    const { failed } = await runContract(cases, () =>
      openSubject(async (parts) => {
        const sound = await KeywordFlexBackend.open(parts);
        const backend = { ...bound(sound), ...breakIt(sound, parts) };
        return { backend, close: () => sound.close() };
      }),
    );
    expect(failed.map(({ name }) => name)).toEqual([finds]);
  });
}

it('the suite passes a sound backend that is wrapped in the same way', async () => {
  const { failed } = await runContract(searchBackendCases, () =>
    openSubject(async (parts) => {
      const sound = await KeywordFlexBackend.open(parts);
      return { backend: bound(sound), close: () => sound.close() };
    }),
  );
  expect(failed).toEqual([]);
});
