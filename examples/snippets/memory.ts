import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

process.chdir(await mkdtemp(join(tmpdir(), 'vizprompt-memory-')));
process.env['HOME'] = process.cwd();

// #region first
import { MemoryStore } from '@vizprompt/memory';

const store = await MemoryStore.open(); // ~/.ptta/ptta.db
const session = await store.startSession({ workspace: '.' });
await store.log(session.id, 'user_message', { content: '認証機能を追加してください' });
// #endregion first

// #region events
const thought = await store.log(session.id, 'thinking', {
  content: '認証にはJWTを使用し、middlewareで検証する',
  context: 'authentication',
});
await store.logMany(session.id, [
  {
    type: 'tool_use',
    data: { tool: 'Bash', parameters: { command: 'npm test' }, result: '12 passed' },
    parent: thought.id,
  },
  { type: 'assistant_message', data: { content: '実装しました。' }, meta: { model: 'any' } },
]);
for await (const { sequence, type } of store.events(session.id)) console.log(sequence, type);
const { events, next } = await store.events(session.id, { type: 'thinking', limit: 20 }).page();
// #endregion events
console.log(events.length, next);

// #region edit
const { intention, edit } = await store.editFile({
  session: session.id,
  path: 'src/auth.ts',
  newContent: 'export const verify = () => true;\n',
  reason: 'JWT検証ミドルウェアを追加',
});
console.log(intention.data.reason, edit.data.success, edit.data.diff);

for (const change of await store.fileHistory('src/auth.ts')) {
  console.log(change.timestamp, change.intention?.data.reason, change.edit?.data.diff);
}
const { content } = await store.fileAt('src/auth.ts', { time: new Date().toISOString() });
// #endregion edit
console.log(content);

// #region record
await store.recordEdit({
  session: session.id,
  path: 'src/auth.ts',
  reason: 'format',
  run: () => runFormatter('src/auth.ts'),
});
const unfinished = await store.pendingIntentions(); // the process died before their edits
// #endregion record
console.log(unfinished.length);

async function runFormatter(file: string): Promise<void> {
  const { appendFile } = await import('node:fs/promises');
  await appendFile(file, '// formatted\n');
}

// #region search
const hits = await store.search('JWT 検証', { workspace: '.', k: 5 });
for (const { event, snippet } of hits) {
  console.log(event.id, event.type, snippet.text, snippet.highlights);
}
// #endregion search

// #region recall
const recalled = await store.recall({
  query: 'JWT 検証',
  workspace: '.',
  path: 'src/auth.ts',
  budgetTokens: 2000,
});
console.log(recalled.text); // [id] time type, and the text, the most useful first
console.log(recalled.tokens, recalled.omitted.length);

const [about] = await store.searchSessions('認証機能', { workspace: '.' });
console.log(about?.session.started_at, about?.events.length);
// #endregion recall

// #region exchange
import { readFile, writeFile } from 'node:fs/promises';

await writeFile('memory.json', store.exportJson({ workspace: '.' }));
const report = await store.importJson(await readFile('memory.json', 'utf8'));
console.log(report); // { sessions: 0, events: 0, known: 8, forgotten: 0 }
await store.backup('backup.db');
// #endregion exchange

// #region forget
await store.forget({ event: thought.id }); // an empty marker stays in its place
await store.vacuum(); // and now nothing of it is left in the file
// #endregion forget

// #region check
const { isOk, problems } = await store.check();
// #endregion check
console.log(isOk, problems);
await store.endSession(session.id);
await store.close();
