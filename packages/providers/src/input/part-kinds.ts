import { having, isTypedArray, type Kind } from './kinds.ts';

// Parts that applications make with one function and hand to another.
export const STORAGE: Kind<never> = having(
  'a Storage, such as await openStorage(folder)',
  'files',
  'database',
  'cache',
);
export const DATABASE: Kind<never> = having(
  'a Database, such as storage.database',
  'dialect',
  'migrate',
);
export const FILE_STORE: Kind<never> = having('a FileStore, such as storage.files', 'read', 'list');
export const CHAT_MODEL: Kind<never> = having(
  'a ChatModel, such as openai({ model })',
  'modelId',
  'stream',
);
export const EMBEDDING_MODEL: Kind<never> = having(
  'an EmbeddingModel, such as openaiEmbeddings({ model })',
  'modelId',
  'embed',
);
export const ANALYZER: Kind<never> = having(
  'a TextAnalyzer, such as wordAnalyzer()',
  'id',
  'analyze',
);
export const RETRIEVER: Kind<never> = having('a Retriever', 'retrieve');
/** A turn that a recorder keeps. */
export const TURN: Kind<never> = having(
  'a turn with id, conversationId, follows, status, speaker, input, output and startedAt',
  'id',
  'conversationId',
  'follows',
  'status',
  'speaker',
  'input',
  'output',
  'startedAt',
);
export const BYTES: Kind<Uint8Array> = {
  expected: 'bytes',
  accepts: (value) => isTypedArray(value, 'Uint8Array'),
};
/** Anything that `for await` reads. */
export const ASYNC_ITERABLE: Kind<never> = {
  expected: 'something to read with for await',
  accepts: (value) =>
    typeof value === 'object' &&
    value !== null &&
    (Symbol.asyncIterator in value || Symbol.iterator in value),
};
