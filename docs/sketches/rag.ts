// How @vizprompt/rag will stand on the contracts. It is compiled, not run: it shows that they carry
// what the package needs.
import type {
  EmbeddingModel,
  JsonValue,
  Passage,
  Retriever,
  VectorStore,
} from '@vizprompt/providers';
import { fuse } from '@vizprompt/providers';
import type { TextAnalyzer } from '@vizprompt/providers/text';

/** The engine behind everything: keyword now, hybrid later, the same interface. */
export interface SearchBackend {
  search(query: string, options: { k: number; signal?: AbortSignal }): Promise<readonly Passage[]>;
}

/** Morphological analysis comes as another `TextAnalyzer`: words with offsets into the original. */
export declare function compactAnalyzer(): Promise<TextAnalyzer>;

/** Keyword and vector search side by side, fused by rank. */
export function hybridBackend(
  keyword: SearchBackend,
  embeddings: EmbeddingModel,
  vectors: VectorStore,
): SearchBackend {
  return {
    async search(query, { k, signal }) {
      const request = { values: [query], kind: 'query' } as const;
      const [byWord, embedded] = await Promise.all([
        keyword.search(query, { k, ...(signal ? { signal } : {}) }),
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

/** What other packages see of it. */
export function retriever(backend: SearchBackend): Retriever {
  return {
    specVersion: 1,
    retrieve: (query, { k = 10, filter, signal } = {}) => {
      const unknown = Object.keys(filter ?? {}).find((key) => key !== 'tags');
      if (unknown !== undefined) throw new RangeError(`rag cannot filter by '${unknown}'`);
      return backend.search(query, signal ? { k, signal } : { k });
    },
  };
}

function stringOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
