// What is compared. Each opens with `{ folder, tokens }`, where `tokens` cuts a text into the words of
// our analyser, and then has `add(id, text)`, `done()`, `search(query, k)` with the ids of the best
// ones, and `close()`.
export const SYSTEMS = {
  fts5_unicode61: async () => (await import('./fts5.mjs')).openUnicode61,
  fts5_trigram: async () => (await import('./fts5.mjs')).openTrigram,
  fts5_words: async () => (await import('./fts5.mjs')).openWords,
  fts5_porter: async () => (await import('./fts5.mjs')).openPorter,
  flexsearch: async () => (await import('./flexsearch.mjs')).openFlexSearch,
  minisearch: async () => (await import('./minisearch.mjs')).openMiniSearch,
  orama: async () => (await import('./orama.mjs')).openOrama,
};

/** Those that cut texts themselves, and are to be weighed without our analyser. */
export const WITHOUT_WORDS = new Set(['fts5_unicode61', 'fts5_trigram', 'fts5_porter']);
