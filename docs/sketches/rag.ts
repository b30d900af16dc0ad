// What @vizprompt/rag will add to its engine. It is compiled, not run: it shows that the contracts
// carry what the package needs.
import type {
  EmbeddingModel,
  JsonValue,
  Passage,
  Retriever,
  VectorStore,
} from '@vizprompt/providers';
import { fuse } from '@vizprompt/providers';
import type { SearchBackend } from '@vizprompt/rag';

/** What other packages see of an index. */
export function retriever(backend: SearchBackend): Retriever {
  return {
    specVersion: 1,
    async retrieve(query, { k = 10, filter, signal } = {}) {
      const unknown = Object.keys(filter ?? {});
      if (unknown.length > 0) throw new RangeError(`rag cannot filter by '${unknown.join()}'`);
      const { hits } = await backend.search(query, signal ? { k, signal } : { k });
      return hits.map(({ id, score, content, payload }): Passage => {
        const { file, start, end } = payload;
        return {
          id,
          score,
          text: content,
          source: { kind: 'document', uri: `${file}:${start}-${end}` },
        };
      });
    },
  };
}

/** Keyword and vector search side by side, fused by rank. */
export function hybrid(
  keyword: Retriever,
  embeddings: EmbeddingModel,
  vectors: VectorStore,
): Retriever {
  return {
    specVersion: 1,
    async retrieve(query, { k = 10, signal } = {}) {
      const request = { values: [query], kind: 'query' } as const;
      const [byWord, embedded] = await Promise.all([
        keyword.retrieve(query, { k, ...(signal ? { signal } : {}) }),
        embeddings.embed(signal ? { ...request, signal } : request),
      ]);
      const matches = await vectors.query(embedded.vectors[0] ?? new Float32Array(), { k });
      const byMeaning = matches.map(({ id, score, payload }): Passage => ({
        id,
        score,
        text: stringOf(payload?.['text']),
        source: { kind: 'document', uri: stringOf(payload?.['file']) },
      }));
      return fuse([byWord, byMeaning]).slice(0, k);
    },
  };
}

function stringOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
