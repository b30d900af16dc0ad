import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContextEntry } from '@vizprompt/core';
import type { MemoryStore } from '@vizprompt/memory';
import { fuse, type Passage, type Retriever } from '@vizprompt/providers';
import { citationOf, KeywordFlexBackend, retriever } from '@vizprompt/rag';
import type { Words } from './words.ts';

/** Passages for a message. */
const MOST = 6;

/** The Markdown files of a folder, indexed in memory: there are few, and so none is ever out of date. */
export async function openNotes(folder: string): Promise<Retriever> {
  const backend = await KeywordFlexBackend.open();
  for (const filePath of await readdir(folder)) {
    if (!filePath.endsWith('.md')) continue;
    const text = await readFile(join(folder, filePath), 'utf8');
    await backend.updateFile({ novelId: 'notes', filePath, text });
  }
  return retriever(backend);
}

/** What people said in a room before a time; what the bot says is no source. */
export function said(memory: MemoryStore, room: string, time: Date): Retriever {
  const all = memory.retriever({ room });
  const filter = { before: time.toISOString(), type: 'user_message' };
  return { specVersion: 1, retrieve: (query, more) => all.retrieve(query, { ...more, filter }) };
}

/** Several retrievers as one: what stands high in any of their lists comes first. */
export function together(...retrievers: readonly Retriever[]): Retriever {
  return {
    specVersion: 1,
    async retrieve(query, { signal } = {}) {
      const options = { k: MOST, ...(signal ? { signal } : {}) };
      const lists = await Promise.all(retrievers.map((one) => one.retrieve(query, options)));
      return fuse(lists).slice(0, MOST);
    },
  };
}

/** The letters by which an answer names what it was given, as sources that people can look up. */
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
