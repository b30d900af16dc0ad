import assert from 'node:assert/strict';
import type { Retriever } from '../retrieval/retriever.ts';
import { declareSuite, type ContractCase, type SuiteOptions } from './contract-suite.ts';

/** The subject of the suite's cases. */
export interface RetrieverSubject {
  readonly retriever: Retriever;
  /** A question that finds something. */
  readonly query: string;
  /** How many passages it finds, at least two. */
  readonly matches: number;
}

/** The cases of the `Retriever` contract. */
export const retrieverCases: readonly ContractCase<RetrieverSubject>[] = [
  {
    name: 'gives passages with text and a place to cite, best first, each once',
    async run({ retriever, query, matches }) {
      const passages = await retriever.retrieve(query, { limit: 100, k: 100 });
      assert.equal(passages.length, matches);
      assert.equal(new Set(passages.map(({ id }) => id)).size, matches);
      let last = Number.POSITIVE_INFINITY;
      for (const { text, score, source } of passages) {
        assert.ok(text !== '' && source.kind !== '' && source.uri !== '');
        assert.ok((source.start ?? 0) <= (source.end ?? Number.POSITIVE_INFINITY));
        assert.ok(Number.isFinite(score) && score <= last);
        last = score;
      }
    },
  },
  {
    name: 'gives at most k passages, the best ones',
    async run({ retriever, query }) {
      const all = await retriever.retrieve(query);
      const [first, ...rest] = await retriever.retrieve(query, { limit: 1, k: 1 });
      assert.equal(rest.length, 0);
      assert.equal(first?.id, all[0]?.id);
    },
  },
  {
    name: 'refuses a filter that it does not know',
    async run({ retriever, query }) {
      const filter = { 'no such filter': 'x' };
      await assert.rejects(retriever.retrieve(query, { filter }), /no such filter/);
    },
  },
  {
    name: 'survives any question',
    async run({ retriever }) {
      for (const query of ['', ' ', '!?', '\0', '\ud800', '"', '👩‍👩‍👧‍👦', "'; DROP TABLE x; --"]) {
        assert.ok(Array.isArray(await retriever.retrieve(query)), JSON.stringify(query));
      }
    },
  },
  {
    name: 'stops when it is aborted',
    async run({ retriever, query }) {
      const reason = new Error('enough');
      const asked = retriever.retrieve(query, { signal: AbortSignal.abort(reason) });
      await assert.rejects(asked, (error: unknown) => error === reason);
    },
  },
];

/** Declares the tests of the `Retriever` contract. */
export function testRetriever(options: SuiteOptions<RetrieverSubject>): void {
  declareSuite('Retriever', retrieverCases, options);
}
