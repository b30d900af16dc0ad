// Erases a speaker from one kind of store, and is killed when it looks for the n-th time whether it shall stop.
import { VizPrompt } from '@vizprompt/core';
import { MemoryStore } from '@vizprompt/memory';
import { openStorage } from '@vizprompt/providers/node';
import { eraseSpeaker as eraseFromLog } from '@vizprompt/talktable';
import { eraseSpeaker as eraseFromJournal } from '@vizprompt/workflow';

const [, , kind, folder, stops] = process.argv;
const { signal } = new AbortController();
let left = Number(stops);
signal.throwIfAborted = () => {
  if (left-- <= 0) process.kill(process.pid, 'SIGKILL');
};
const options = { speaker: 'Alice', signal };

if (kind === 'core') {
  const vizprompt = await VizPrompt.open(folder);
  await vizprompt.eraseSpeaker(options);
  await vizprompt.close();
} else if (kind === 'memory') {
  const store = await MemoryStore.open({ path: `${folder}/ptta.db` });
  await store.eraseSpeaker(options);
  await store.close();
} else if (kind === 'talktable') {
  await eraseFromLog(`${folder}/log.db`, options);
} else {
  const storage = await openStorage(folder);
  await eraseFromJournal(storage, { ...options, speaker: 'person' });
  await storage.close();
}
