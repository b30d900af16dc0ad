import { mkdtemp, rm, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { MemoryStore, type MemoryEvent, type MemoryStoreOptions } from '../../../src/index.ts';

/** Returns a folder that goes away with the test. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'memory-capture-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns a store of its own for the test, in a real file. */
export async function openMemory(options: MemoryStoreOptions = {}): Promise<MemoryStore> {
  const store = await MemoryStore.open({ path: join(await newFolder(), 'memory.db'), ...options });
  onTestFinished(() => store.close());
  return store;
}

/** Writes a file below a folder. */
export async function put(folder: string, name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return path;
}

/** All events of all sessions, by session. */
export async function allEvents(store: MemoryStore): Promise<Map<string, MemoryEvent[]>> {
  const found = new Map<string, MemoryEvent[]>();
  for (const { id } of await store.listSessions({ limit: 1000 })) {
    const events: MemoryEvent[] = [];
    for await (const event of store.events(id)) events.push(event);
    found.set(id, events);
  }
  return found;
}

/** Returns the events of the only session. */
export async function onlyEvents(store: MemoryStore): Promise<MemoryEvent[]> {
  const [events, another] = (await allEvents(store)).values();
  if (!events || another) throw new Error('there is not exactly one session');
  return events;
}
