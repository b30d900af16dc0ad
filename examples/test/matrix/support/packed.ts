import { mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPackedRegistry, type PackedRegistry } from './packed-registry.ts';

/** A folder for a whole test file, and a registry with the packages as they would be published. */
export interface Packed extends AsyncDisposable {
  readonly place: string;
  readonly registry: PackedRegistry;
}

/** Packs the packages, and serves them. */
export async function servePacked(): Promise<Packed> {
  const place = await mkdtemp(join(tmpdir(), 'vizprompt-packed-'));
  mkdirSync(join(place, 'tarballs'));
  const registry = await startPackedRegistry(join(place, 'tarballs'));
  return {
    place,
    registry,
    async [Symbol.asyncDispose]() {
      await registry.close();
      await rm(place, { recursive: true, force: true });
    },
  };
}
