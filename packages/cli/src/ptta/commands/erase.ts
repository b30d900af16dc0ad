import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import { defineErase } from '../../frame/erase-command.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';
import { openMemory } from '../open-memory.ts';

export const examples: readonly string[] = [
  'ptta erase --speaker Alice --dry-run',
  'ptta erase --speaker Alice --text "my address is"',
];

export function define(command: Command, cli: Cli<PttaMessages>): void {
  defineErase(command, cli, async (options) => {
    await using store = await openMemory(cli);
    return [await store.eraseSpeaker(options)];
  });
}
