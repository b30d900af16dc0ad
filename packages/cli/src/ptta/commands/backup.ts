import { resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';
import { openMemory } from '../open-memory.ts';

export const examples: readonly string[] = ['ptta backup ~/backups/ptta-2026-01-31.db'];

export function define(command: Command, cli: Cli<PttaMessages>): void {
  command.argument('<file>', cli.text.backupFile).action(async (file) => {
    cli.interrupts.endAtOnce();
    const path = resolve(cli.cwd, file);
    await using store = await openMemory(cli);
    await store.backup(path);
    await cli.print({ path }, () => cli.text.written(path));
  });
}
