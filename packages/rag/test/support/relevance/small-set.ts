import { Chunk, type SearchHit } from '@vizprompt/rag';
import { KIKO } from './kiko.ts';
import { KIRI } from './kiri.ts';
import { SHIOSAI } from './shiosai.ts';
import type { SmallNovel } from './small-novel.ts';

/** Three novels of about 17 chunks, as the projects `shiosai`, `kiko` and `kiri`. */
export const NOVELS: Readonly<Record<string, SmallNovel>> = {
  shiosai: SHIOSAI,
  kiko: KIKO,
  kiri: KIRI,
};

const FOLDER = 'notes/';
const EXTENSION = '.md';

/** Returns the 50 chunks of the set, each the only one of its document. */
export function smallSetChunks(): readonly Chunk[] {
  return Object.entries(NOVELS).flatMap(([novelId, { chunks }]) =>
    chunks.map(({ id, title, tags, content }) => {
      const place = { startLine: 3, endLine: 3, chunkIndex: 0 };
      const filePath = FOLDER + id + EXTENSION;
      return new Chunk({ title, content, filePath, ...place, novelId, tags });
    }),
  );
}

/** The parts of a hit that identify a chunk of the set. */
export interface SmallSetHit {
  readonly payload: Pick<SearchHit['payload'], 'file'>;
}

/** Returns the id that the queries know a chunk by. */
export function smallSetId({ payload }: SmallSetHit): string {
  return payload.file.slice(FOLDER.length, -EXTENSION.length);
}
