// Deletes from one kind of store, and says when it begins. The process that started it may kill it at any moment.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [, , kind, folder] = process.argv;
const begin = () => process.send?.('begins');

if (kind === 'core') {
  const { VizPrompt } = await import('@vizprompt/core');
  const vizprompt = await VizPrompt.open(folder);
  begin();
  for (const name of readdirSync(join(folder, 'nodes'), { recursive: true })) {
    const [, id] = name.endsWith('.xml')
      ? (/<node id="([^"]+)"/.exec(readFileSync(join(folder, 'nodes', name), 'utf8')) ?? [])
      : [];
    if (id) await vizprompt.deleteNode(id);
  }
  await vizprompt.vacuum();
  await vizprompt.close();
} else if (kind.startsWith('memory')) {
  const { MemoryStore } = await import('@vizprompt/memory');
  const store = await MemoryStore.open({ path: `${folder}/ptta.db` });
  begin();
  for (const { id } of await store.listSessions()) {
    if (kind === 'memory, forget') await store.forget({ session: id });
    else await store.deleteSession(id);
  }
  // A call that was killed has forgotten a session whose bytes are still there.
  await store.vacuum();
  await store.close();
} else if (kind.startsWith('rag')) {
  const { SegmentBackend, SqliteFtsBackend, bigramAnalyzer } = await import('@vizprompt/rag');
  const { sqliteDatabase } = await import('@vizprompt/providers/node');
  const analyzer = bigramAnalyzer();
  const database =
    kind === 'rag, SQLite' ? sqliteDatabase({ path: `${folder}/app.db` }) : undefined;
  const backend = database
    ? await SqliteFtsBackend.open({ database, analyzer })
    : await SegmentBackend.open({ folder: `${folder}/index`, analyzer, mayFork: false });
  begin();
  await backend.removeByFile({ novelId: 'n', filePath: 'a.md' });
  await backend.compact();
  await backend.close();
  await database?.close();
}
