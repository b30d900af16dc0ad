/** The method that pools token vectors: their mean, the first token, or the last token. */
export type Pooling = 'mean' | 'cls' | 'last_token';

/** Prefixes of the texts to embed. */
export interface EmbeddingPrefixes {
  /** Before questions (`kind: 'query'`). Default: nothing. */
  readonly query?: string | undefined;
  /** Before documents (`kind: 'document'`). Default: nothing. */
  readonly passage?: string | undefined;
}

/** The conventions that a family of models was trained with. */
export interface Conventions {
  readonly pooling?: Pooling;
  readonly prefixes?: EmbeddingPrefixes;
}

const INSTRUCT_E5 =
  'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ';

/**
 * Families of models by the names that they and their conversions to ONNX have, the more special first.
 *
 * Sources: the model cards, and `1_Pooling/config.json` of each.
 */
const FAMILIES: readonly (readonly [name: RegExp, conventions: Conventions])[] = [
  [/ruri-v3/, { pooling: 'mean', prefixes: { query: '検索クエリ: ', passage: '検索文書: ' } }],
  [/\bruri\b/, { pooling: 'mean', prefixes: { query: 'クエリ: ', passage: '文章: ' } }],
  [/\be5-.*instruct/, { pooling: 'mean', prefixes: { query: INSTRUCT_E5 } }],
  [
    /\be5-(?:small|base|large)|glucose-base-ja-v2/,
    { pooling: 'mean', prefixes: { query: 'query: ', passage: 'passage: ' } },
  ],
  [
    /qwen3-embedding/,
    { pooling: 'last_token', prefixes: { query: INSTRUCT_E5.replace('Query: ', 'Query:') } },
  ],
  [
    /embeddinggemma/,
    {
      pooling: 'mean',
      prefixes: { query: 'task: search result | query: ', passage: 'title: none | text: ' },
    },
  ],
  [
    /nomic-embed/,
    { pooling: 'mean', prefixes: { query: 'search_query: ', passage: 'search_document: ' } },
  ],
  [/arctic-embed-[lm]-v2/, { pooling: 'cls', prefixes: { query: 'query: ' } }],
  [/bge-m3/, { pooling: 'cls' }],
  [
    /\bbge-(?:small|base|large)-en|mxbai-embed|arctic-embed/,
    {
      pooling: 'cls',
      prefixes: { query: 'Represent this sentence for searching relevant passages: ' },
    },
  ],
  [/\bbge-/, { pooling: 'cls' }],
  [/\bgte-(?:multilingual|modernbert)|gte-.*v1\.5/, { pooling: 'cls' }],
];

/** Returns how a model was trained to be used, by its name; nothing for one that is not known. */
export function conventionsOf(model: string): Conventions {
  const name = model.toLowerCase().replaceAll('_', '-');
  return FAMILIES.find(([family]) => family.test(name))?.[1] ?? {};
}
