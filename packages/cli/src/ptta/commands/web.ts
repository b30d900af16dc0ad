import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import { pathValue } from '../../frame/option-values.ts';
import { addServerOptions } from '../../frame/server-options.ts';
import { addPages } from '../add-pages.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';
import { serveMemory } from '../serve-memory.ts';

export const examples: readonly string[] = ['ptta web', 'ptta web --port 8080 --workspace .'];

export function define(command: Command, cli: Cli<PttaMessages>): void {
  addServerOptions(command, cli, { port: 7737 })
    .option('--workspace <path>', cli.text.webWorkspace, pathValue(cli))
    .action(async ({ workspace, ...flags }) => {
      await serveMemory(cli, flags, (app, store) => addPages(app, store, workspace));
    });
}
