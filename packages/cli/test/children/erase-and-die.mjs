// Erases a speaker from one kind of store, and is killed when it looks for the n-th time whether it shall stop.
const [, , kind, folder, stops] = process.argv;
const { signal } = new AbortController();
let left = Number(stops);
signal.throwIfAborted = () => {
  if (left-- <= 0) process.kill(process.pid, 'SIGKILL');
};
const options = { speaker: 'Alice', signal };
const begin = () => process.send?.('begins');

if (kind === 'core') {
  const { VizPrompt } = await import('@vizprompt/core');
  const vizprompt = await VizPrompt.open(folder);
  begin();
  await vizprompt.eraseSpeaker(options);
  await vizprompt.close();
} else if (kind === 'memory') {
  const { MemoryStore } = await import('@vizprompt/memory');
  const store = await MemoryStore.open({ path: `${folder}/ptta.db` });
  begin();
  await store.eraseSpeaker(options);
  await store.close();
} else if (kind === 'talktable') {
  const { eraseSpeaker } = await import('@vizprompt/talktable');
  begin();
  await eraseSpeaker(`${folder}/log.db`, options);
} else {
  const { openStorage } = await import('@vizprompt/providers/node');
  const { eraseSpeaker } = await import('@vizprompt/workflow');
  const storage = await openStorage(folder);
  begin();
  await eraseSpeaker(storage, { ...options, speaker: 'person' });
  await storage.close();
}
