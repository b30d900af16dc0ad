import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { MemoryStore } from '@vizprompt/memory';
import pg from 'pg';

/** Where a memory is, as the processes that ask it are told. */
export interface MemoryPlace {
  readonly path?: string;
  /** Of a PostgreSQL server. */
  readonly url?: string;
  /** A folder for files of the benchmark. */
  readonly folder: string;
  /** How much room it takes. */
  bytes(): Promise<number>;
}

/** A memory in a file of a folder. */
export function inFile(folder: string): MemoryPlace {
  const path = join(folder, 'speed.db');
  return { path, folder, bytes: async () => (await stat(path)).size };
}

/** A memory on a server that has nothing else. */
export function onServer(url: string, folder: string): MemoryPlace {
  return {
    url,
    folder,
    async bytes() {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        // As a server does in the background.
        await client.query('VACUUM ANALYZE');
        const { rows } = await client.query<{ bytes: string }>(
          'SELECT pg_database_size(current_database()) AS bytes',
        );
        return Number(rows[0]?.bytes);
      } finally {
        await client.end();
      }
    },
  };
}

interface OpenedMemory {
  readonly store: MemoryStore;
  close(): Promise<void>;
}

/** Opens it as the other processes do. */
export async function openMemory({ path, url }: MemoryPlace): Promise<OpenedMemory> {
  const file = './open-memory.mjs';
  const module = (await import(new URL(file, import.meta.url).href)) as {
    openMemory(place: Pick<MemoryPlace, 'path' | 'url'>): Promise<OpenedMemory>;
  };
  return module.openMemory({
    ...(path === undefined ? {} : { path }),
    ...(url === undefined ? {} : { url }),
  });
}
