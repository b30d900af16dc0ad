import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { TrustRequest } from '@vizprompt/providers/trust';

import { MEMORY_FILE, memoryTrust } from '../frame/memory-trust.ts';

type PlacedRequest = TrustRequest & { readonly place: string };

/** Returns all that a folder or a file asks its user to consent to. */
export async function requestsOf(place: string): Promise<readonly PlacedRequest[]> {
  const isFolder = statSync(place).isDirectory();
  const requests = isFolder ? await folderRequests(place) : await fileRequests(place);
  return requests.filter(({ uses }) => uses.length > 0);
}

async function folderRequests(folder: string): Promise<readonly PlacedRequest[]> {
  const requests: PlacedRequest[] = [];
  if (existsSync(join(folder, 'config.yaml'))) {
    const { readProjectTrust } = await import('@vizprompt/core');
    requests.push(await readProjectTrust(folder));
  }
  const memory = basename(folder) === '.ptta' ? folder : join(folder, '.ptta');
  if (existsSync(join(memory, MEMORY_FILE))) requests.push(memoryTrust(memory));
  return requests;
}

async function fileRequests(file: string): Promise<readonly PlacedRequest[]> {
  const { readTalkTrust } = await import('@vizprompt/talktable/config');
  return [await readTalkTrust(file)];
}
