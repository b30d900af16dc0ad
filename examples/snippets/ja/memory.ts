import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

process.chdir(await mkdtemp(join(tmpdir(), 'vizprompt-memory-')));
process.env['HOME'] = process.cwd();

// #region first
import { MemoryStore } from '@vizprompt/memory';

const store = await MemoryStore.open({ path: './memory.db' }); // path がなければ ~/.ptta/ptta.db
const session = await store.startSession({ workspace: '.' });
await store.log(session.id, 'user_message', { content: '認証機能を追加してください' });
const [remembered] = await store.search('認証');
console.log(remembered?.event.sequence, remembered?.snippet.text); // 1 認証機能を追加してください
// #endregion first

// #region events
const asked = await store.log(session.id, 'user_message', { content: 'JWTで?' });
const thought = await store.log(
  session.id,
  'thinking',
  { content: '認証にはJWTを使用し、middlewareで検証する', context: 'authentication' },
  { parent: asked.id, timestamp: '2026-01-31T12:00:00+09:00', meta: { model: 'any' } },
);
await store.logMany(session.id, [
  {
    type: 'tool_use',
    data: { tool: 'Bash', parameters: { command: 'npm test' }, result: '12 passed' },
    parent: thought.id,
  },
  {
    type: 'assistant_message',
    data: {
      content: '実装しました。',
      tool_calls: [{ tool: 'Bash', args: { command: 'npm test' } }],
    },
  },
]);
// #endregion events

// #region pages
for await (const { sequence, type } of store.events(session.id)) console.log(sequence, type);

const first = await store.events(session.id, { limit: 2 }).page();
console.log(first.events.length, first.next); // 2 2
if (first.next !== undefined) {
  const second = await store.events(session.id, { limit: 2, after: first.next }).page();
  console.log(second.events.map(({ sequence }) => sequence)); // [ 3, 4 ]
}
// #endregion pages

// #region follow
for await (const { sequence, type } of store.follow(session.id, { after: 2 })) {
  console.log(sequence, type);
  if (type === 'assistant_message') break; // or never, until the signal that it takes
}
// #endregion follow

// #region edit
const { intention, edit } = await store.editFile({
  session: session.id,
  path: 'src/auth.ts',
  newContent: 'export const verify = () => true;\n',
  reason: 'JWT検証ミドルウェアを追加',
});
console.log(intention.data.reason, edit.data.success, edit.data.diff);
// #endregion edit

// #region history
for (const change of await store.fileHistory('src/auth.ts', { workspace: '.', limit: 20 })) {
  console.log(change.timestamp, change.session_id);
  console.log(change.intention?.data.reason, change.edit?.data.diff);
}
const { content } = await store.fileAt('src/auth.ts', { time: new Date().toISOString() });
// #endregion history
console.log(content);

// #region record
import { appendFile } from 'node:fs/promises';

await store.recordEdit({
  session: session.id,
  path: 'src/auth.ts',
  reason: 'a mark at the end',
  run: () => appendFile('src/auth.ts', '// checked\n'), // or a formatter, an editor ...
});
const unfinished = await store.pendingIntentions(); // the process died before their edits
// #endregion record
console.log(unfinished.length);

// #region search
const hits = await store.search('JWT 検証', { workspace: '.', limit: 5 });
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
console.log(recalled.tokens); // at most 2000
for (const { event, reasons, isCut } of recalled.events) console.log(event.id, reasons, isCut);
for (const { id, reason } of recalled.omitted) console.log(id, reason);

const [about] = await store.searchSessions('認証機能', { workspace: '.' });
console.log(about?.session.started_at, about?.events.length);
// #endregion recall

// #region exchange
import { readFile, writeFile } from 'node:fs/promises';

await writeFile('memory.json', store.exportJson({ workspace: '.' }));
const report = await store.importJson(await readFile('memory.json', 'utf8'));
console.log(report); // { sessions: 0, events: 0, known: 9, forgotten: 0 }
await store.backup('backup.db');
// #endregion exchange

// #region forget
const [found] = await store.search('JWT');
// An empty marker stays in its place, and nothing of it remains in the file.
if (found) await store.forget({ event: found.event.id });
// #endregion forget

// #region check
const { isOk, problems } = await store.check();
// #endregion check
console.log(isOk, problems);
await store.endSession(session.id);
await store.close();
