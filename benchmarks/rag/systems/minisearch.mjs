import MiniSearch from 'minisearch';

/** In memory, with the words of our analyser; ranked OR is its default. */
export function openMiniSearch({ tokens }) {
  const index = new MiniSearch({
    fields: ['text'],
    tokenize: tokens,
    processTerm: (term) => term,
  });
  return {
    add: (id, text) => index.add({ id, text }),
    done() {},
    search: (query, k) =>
      index
        .search(query)
        .slice(0, k)
        .map(({ id }) => id),
    close() {},
  };
}
