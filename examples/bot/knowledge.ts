import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContextEntry } from '@vizprompt/core';
import type { MemoryStore } from '@vizprompt/memory';
import { fuse, type Passage, type Retriever } from '@vizprompt/providers';
import { citationOf, KeywordFlexBackend, retriever } from '@vizprompt/rag';
import type { Words } from './words.ts';

/** The maximum of passages for a message. */
const MOST = 6;

/** Indexes the Markdown files of a folder in memory. They are few, so the index is rebuilt at each start. */
export async function openNotes(folder: string): Promise<Retriever> {
  const backend = await KeywordFlexBackend.open();
  for (const filePath of await readdir(folder)) {
    if (!filePath.endsWith('.md')) continue;
    const text = await readFile(join(folder, filePath), 'utf8');
    await backend.updateFile({ novelId: 'notes', filePath, text });
  }
  return retriever(backend);
}

/** Finds messages of people in a room before a time. Answers of the bot are not a source. */
export function said(memory: MemoryStore, room: string, time: Date): Retriever {
  const all = memory.retriever({ room });
  const filter = { before: time.toISOString(), type: 'user_message' };
  return { specVersion: 1, retrieve: (query, more) => all.retrieve(query, { ...more, filter }) };
}

/** Merges retrievers into one, which fuses their ranked lists. */
export function together(...retrievers: readonly Retriever[]): Retriever {
  return {
    specVersion: 1,
    async retrieve(query, { signal } = {}) {
      const options = { limit: MOST, ...(signal ? { signal } : {}) };
      const lists = await Promise.all(retrievers.map((one) => one.retrieve(query, options)));
      return fuse(lists).slice(0, MOST);
    },
  };
}

/** Replaces the letters of references in an answer with sources that people can look up. */
export function withSources(
  answer: string,
  entries: readonly ContextEntry[],
  passages: readonly Passage[],
  words: Words,
): string {
  return answer.replaceAll(/\[([A-Z]+)\]/g, (letters: string, label: string) => {
    const id = entries.find((entry) => entry.label === label)?.id;
    const passage = passages.find((one) => one.id === id);
    return passage ? `[${sourceOf(passage, words)}]` : letters;
  });
}

function sourceOf(passage: Passage, words: Words): string {
  const { source, time = '' } = passage;
  return source.kind === 'document' ? citationOf(passage) : words.source(time.slice(0, 10));
}
