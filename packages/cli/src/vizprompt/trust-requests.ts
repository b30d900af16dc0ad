import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { TrustRequest } from '@vizprompt/providers/trust';

import { logTrust, TALK_LOG } from '../frame/log-trust.ts';
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
  const settings = join(folder, 'config', 'dialogoi.config.json');
  if (existsSync(settings)) requests.push(await settingsRequest(folder, settings));
  const memory = basename(folder) === '.ptta' ? folder : join(folder, '.ptta');
  if (existsSync(join(memory, MEMORY_FILE))) requests.push(memoryTrust(memory));
  const log = join(folder, TALK_LOG);
  if (existsSync(log)) requests.push(logTrust(log, [folder]));
  return requests;
}

/** Returns the settings of `dialogoi`, as its commands would read them in the folder. */
async function settingsRequest(folder: string, file: string): Promise<PlacedRequest> {
  const { loadRagConfig } = await import('@vizprompt/rag');
  let asked: TrustRequest = { uses: [] };
  const trust = (request: TrustRequest): boolean => {
    asked = request;
    return true;
  };
  await loadRagConfig({ file, cwd: folder, trust });
  return { ...asked, place: file };
}

async function fileRequests(file: string): Promise<readonly PlacedRequest[]> {
  if (file.endsWith('.json')) return [await settingsRequest(dirname(dirname(file)), file)];
  if (file.endsWith('.db')) return [logTrust(file, [dirname(dirname(file))])];
  const { readTalkTrust } = await import('@vizprompt/talktable/config');
  const { readWorkflowTrust } = await import('@vizprompt/workflow');
  const [talk, workflow] = [await readTalkTrust(file), await readWorkflowTrust(file)];
  return [{ ...talk, uses: [...talk.uses, ...workflow.uses] }];
}
