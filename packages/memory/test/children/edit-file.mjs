// Edits one file as another process would: `edit-file.mjs DATABASE SESSION FILE COUNT`. Each edit adds a mark.
import { MemoryStore } from '@vizprompt/memory';

const [, , path, session, file, count] = process.argv;
const store = await MemoryStore.open({ path });
for (let at = 1; at <= Number(count); at++) {
  const edit = { old: 'end', new: `${process.pid}:${at}\nend` };
  await store.editFile({ session, path: file, edit, reason: 'a mark' });
}
await store.close();
