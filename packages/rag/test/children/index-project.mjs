// Keeps the index of a project until it is killed: refreshes, compacts or watches, and answers queries.
import { ProjectIndexer, segmenterAnalyzer } from '@vizprompt/rag';
import { paragraphs } from '@vizprompt/rag/testing';

const [, , folder, indexFolder, task] = process.argv;
const indexer = await ProjectIndexer.open({
  project: '灯台',
  folder,
  indexFolder,
  analyzer: segmenterAnalyzer(),
  chunking: paragraphs,
  debounceMs: 20,
});
const tell = (message) => process.send?.(message, undefined, undefined, () => {});
for (const name of ['index:waiting', 'index:started', 'index:finished', 'index:changed']) {
  indexer.events.on(name, (payload) => tell({ type: name, ...payload }));
}
process.on('message', (query) => void answer(query));

async function answer(query) {
  const { hits } = await indexer.search(query, { k: 50 });
  tell({ type: 'answer', files: hits.map(({ payload }) => payload.file) });
}

tell({ type: 'open' });
if (task === 'watch') await indexer.watch();
else if (task === 'refresh') {
  for (;;) await indexer.refresh();
} else {
  for (;;) {
    const { indexed } = await indexer.refresh();
    if (indexed === 0) continue;
    tell({ type: 'compact:started' });
    await indexer.backend.compact();
    tell({ type: 'compact:finished' });
  }
}
tell({ type: 'watching' });
