import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import { addServerOptions, type ServerFlags } from '../../frame/server-options.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';
import { serveMemory } from '../serve-memory.ts';

export const examples: readonly string[] = [
  'ptta serve',
  'ptta serve --port 8080 --host 0.0.0.0 --token "$(openssl rand -hex 16)"',
];

export function define(command: Command, cli: Cli<PttaMessages>): void {
  addServerOptions(command, cli, { port: PORT }).action(async (flags: ServerFlags) => {
    await serveMemory(cli, flags);
  });
}

const PORT = 7737;
