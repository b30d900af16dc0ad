import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

process.chdir(await mkdtemp(join(tmpdir(), 'vizprompt-memory-')));

// #region vectors
import { MemoryStore } from '@vizprompt/memory';
import { openStorage } from '@vizprompt/providers/node';
import { ollamaEmbeddings } from '@vizprompt/providers/ollama';
import { quantizedVectors } from '@vizprompt/providers/quantized';

await using storage = await openStorage('./data');
await using store = await MemoryStore.open({
  storage,
  embeddings: {
    model: ollamaEmbeddings({ model: 'bge-m3' }),
    vectors: quantizedVectors({ database: storage.cache, dimensions: 1024, model: 'bge-m3' }),
  },
});
store.on('vectors:failed', ({ task, error }) => console.warn(task, error));
const hits = await store.search('how people log in'); // also finds authentication
// #endregion vectors
console.log(hits);
