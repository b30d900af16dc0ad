import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import type { TrustRequest } from '@vizprompt/providers/trust';
import { CliError } from '../../errors.ts';
import type { Cli } from '../../frame/cli.ts';
import { logTrust, MEMORY_FILE, memoryTrust, TALK_LOG } from '../../frame/store-trust.ts';
import type { VizpromptMessages } from '../messages/en.ts';

export const examples: readonly string[] = [
  'vizprompt trust',
  'vizprompt trust ./shared-project',
  'vizprompt trust talk.yaml',
  'vizprompt trust --list',
  'vizprompt trust --revoke ./shared-project',
];

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  const { trust: text } = cli.text;
  command
    .argument('[path]', text.path)
    .option('--list', text.list)
    .option('--revoke', text.revoke)
    .action(async (path, { list = false, revoke = false }) => {
      const { grantTrust, listTrust, revokeTrust } = await import('@vizprompt/providers/trust');
      if (list && (revoke || path !== undefined)) {
        throw new CliError('usage', cli.frame.onlyOne('--list, --revoke, PATH'));
      }
      if (list) {
        const records = listTrust();
        await cli.print(records, () => {
          if (records.length === 0) return text.nothing;
          return records
            .map(({ place, uses }) => [place, ...uses.map(indented)].join('\n'))
            .join('\n');
        });
        return;
      }
      const place = resolve(cli.cwd, path ?? cli.data ?? '.');
      const requests = await requestsOf(place);
      if (revoke) {
        const places = new Set([place, ...requests.map((request) => request.place)]);
        const revoked: string[] = [];
        for (const one of places) if (await revokeTrust(one)) revoked.push(one);
        if (revoked.length === 0) {
          throw new CliError('not-found', text.notTrusted(place), { context: { place } });
        }
        await cli.print({ revoked }, () => revoked.map((one) => text.revoked(one)).join('\n'));
        return;
      }
      const records = [];
      for (const request of requests) records.push(await grantTrust(request));
      await cli.print(records, () => {
        if (records.length === 0) return text.asksNothing(place);
        return requests
          .map((one) =>
            [text.trusted(one.place), ...one.uses.map((use) => indented(use.text))].join('\n'),
          )
          .join('\n');
      });
    });
}

function indented(text: string): string {
  return `  ${text}`;
}

type PlacedRequest = TrustRequest & { readonly place: string };

/** Returns all that a folder or a file asks its user to consent to. */
async function requestsOf(place: string): Promise<readonly PlacedRequest[]> {
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
