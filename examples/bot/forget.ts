import type { VizPrompt } from '@vizprompt/core';
import type { MemoryStore } from '@vizprompt/memory';
import type { Storage } from '@vizprompt/providers';
import { eraseSpeaker as eraseTalks } from '@vizprompt/talktable';
import { eraseSpeaker as eraseRuns } from '@vizprompt/workflow';
import { commandOf } from './words.ts';

/** The places where the bot stores what people say. */
export interface Places {
  readonly vizprompt: VizPrompt;
  readonly memory: MemoryStore;
  readonly storage?: Storage;
}

/**
 * Erases what a person said: in the conversations, the memory, and the panels and debates about their questions. They do not
 * name who asked, so these are found by the text. The memory is last: a call that was interrupted begins there again.
 */
export async function forget(
  { vizprompt, memory, storage }: Places,
  speaker: string,
): Promise<void> {
  const texts: string[] = [];
  for (const { id } of await memory.listSessions()) {
    for await (const { data, meta } of memory.events(id, { type: 'user_message' })) {
      if (meta?.['speaker'] !== speaker || !('content' in data)) continue;
      texts.push(data.content, commandOf(data.content).rest);
    }
  }
  const options = { speaker, texts: texts.filter((text) => text !== '') };
  if (storage) {
    await eraseRuns(storage, options);
    await eraseTalks(storage, options);
  }
  await vizprompt.eraseSpeaker(options);
  await memory.eraseSpeaker({ speaker });
}
