import { resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import { CliError } from '../../errors.ts';
import type { VizpromptMessages } from '../messages/vizprompt-messages.ts';
import { requestsOf } from '../trust-requests.ts';

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
