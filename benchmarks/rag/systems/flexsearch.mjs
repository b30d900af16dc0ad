import { createRequire } from 'node:module';

const { Index } = createRequire(import.meta.resolve('@vizprompt/rag'))('flexsearch');

/**
 * In memory, with the words of our analyser, since its own encoders cut kana. `suggest` lets a text be
 * found that has only some of the words.
 */
export function openFlexSearch({ tokens }) {
  const index = new Index({ tokenize: 'strict', encode: tokens });
  return {
    add: (id, text) => index.add(id, text),
    done() {},
    search: (query, k) => index.search(query, { limit: k, suggest: true }),
    close() {},
  };
}
