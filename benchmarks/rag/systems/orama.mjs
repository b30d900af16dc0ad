import { create, insert, search } from '@orama/orama';

/** In memory, with the words of our analyser. */
export function openOrama({ tokens }) {
  const index = create({
    schema: { text: 'string' },
    components: {
      tokenizer: {
        language: 'english',
        normalizationCache: new Map(),
        tokenize: (text) => [...new Set(tokens(text))],
      },
    },
  });
  return {
    add: (id, text) => insert(index, { id: String(id), text }),
    done() {},
    async search(query, k) {
      const { hits } = await search(index, { term: query, properties: ['text'], limit: k });
      return hits.map(({ id }) => Number(id));
    },
    close() {},
  };
}
