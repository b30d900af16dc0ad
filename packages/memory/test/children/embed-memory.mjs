// Logs and embeds until it is killed: `embed-memory.mjs FOLDER`. Reports when the first vectors are made.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MemoryStore } from '@vizprompt/memory';
import { openStorage } from '@vizprompt/providers/node';
import { quantizedVectors } from '@vizprompt/providers/quantized';
import { hashEmbeddings } from '@vizprompt/providers/testing';

const storage = await openStorage(process.argv[2]);
const vectors = quantizedVectors({ database: storage.cache, dimensions: 64 });
const model = hashEmbeddings({ dimensions: 64 });
const store = await MemoryStore.open({ storage, embeddings: { model, vectors } });
store.on('task:progress', ({ task }) => {
  if (task === 'embed') process.send('embedding');
});
const { id } = await store.startSession({ workspace: '/w' });
for (let round = 0; ; round++) {
  await store.logMany(
    id,
    Array.from({ length: 50 }, (_, at) => ({
      type: 'thinking',
      data: { content: `${process.pid} ${round} ${at}` },
    })),
  );
  const { events } = await store.events(id, { limit: 1, after: round * 50 }).page();
  if (events[0]) await store.forget({ event: events[0].id });
  // SQLite never waits, so without this no timer of the process would ever run.
  await nextTurn();
}
