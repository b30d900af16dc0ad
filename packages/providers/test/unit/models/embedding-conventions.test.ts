import { expect, it } from 'vitest';
import { conventionsOf } from '../../../src/transformers/pool.ts';

/** Names as they are on the Hub, with what their cards say. */
const CASES: readonly (readonly [
  model: string,
  pooling: string | undefined,
  query: string,
  passage: string,
])[] = [
  ['cl-nagoya/ruri-v3-30m', 'mean', '検索クエリ: ', '検索文書: '],
  ['sirasagi62/ruri-v3-310m-ONNX', 'mean', '検索クエリ: ', '検索文書: '],
  ['cl-nagoya/ruri-base', 'mean', 'クエリ: ', '文章: '],
  ['Xenova/multilingual-e5-small', 'mean', 'query: ', 'passage: '],
  ['intfloat/e5-large-v2', 'mean', 'query: ', 'passage: '],
  [
    'intfloat/multilingual-e5-large-instruct',
    'mean',
    'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ',
    '',
  ],
  ['pkshatech/GLuCoSE-base-ja-v2', 'mean', 'query: ', 'passage: '],
  ['Xenova/bge-m3', 'cls', '', ''],
  [
    'Xenova/bge-small-en-v1.5',
    'cls',
    'Represent this sentence for searching relevant passages: ',
    '',
  ],
  ['BAAI/bge-small-zh-v1.5', 'cls', '', ''],
  [
    'mixedbread-ai/mxbai-embed-large-v1',
    'cls',
    'Represent this sentence for searching relevant passages: ',
    '',
  ],
  ['Snowflake/snowflake-arctic-embed-l-v2.0', 'cls', 'query: ', ''],
  [
    'Snowflake/snowflake-arctic-embed-m',
    'cls',
    'Represent this sentence for searching relevant passages: ',
    '',
  ],
  [
    'onnx-community/Qwen3-Embedding-0.6B-ONNX',
    'last_token',
    'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:',
    '',
  ],
  [
    'onnx-community/embeddinggemma-300m-ONNX',
    'mean',
    'task: search result | query: ',
    'title: none | text: ',
  ],
  ['nomic-ai/nomic-embed-text-v1.5', 'mean', 'search_query: ', 'search_document: '],
  ['Alibaba-NLP/gte-multilingual-base', 'cls', '', ''],
  ['Xenova/all-MiniLM-L6-v2', undefined, '', ''],
  ['./models/mine', undefined, '', ''],
];

for (const [model, pooling, query, passage] of CASES) {
  it(`${model} is used as its card says`, () => {
    const { prefixes = {}, ...rest } = conventionsOf(model);
    expect([rest.pooling, prefixes.query ?? '', prefixes.passage ?? '']).toEqual([
      pooling,
      query,
      passage,
    ]);
  });
}
