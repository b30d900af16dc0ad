import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { MemoryStore } from '@vizprompt/memory';
import type { Cli } from '../frame/cli.ts';
import { CliError } from '../errors.ts';
import { nearestFolder } from '../frame/project-folder.ts';
import type { PttaMessages } from './messages/ptta-messages.ts';

/** The folder in which the memory lies: `--data`, or the nearest `.ptta` upwards with one, or `~/.ptta`. */
function memoryFolder(cli: Cli<PttaMessages>): string {
  if (cli.data !== undefined) return resolve(cli.cwd, cli.data);
  const project = nearestFolder(cli.cwd, [join('.ptta', 'ptta.db')]);
  return join(project ?? cli.home, '.ptta');
}

/** The file of the memory. */
export function memoryFile(cli: Cli<PttaMessages>): string {
  return join(memoryFolder(cli), 'ptta.db');
}

/**
 * Opens the memory.
 *
 * @param make - Whether one is made in a folder that `--data` names. Without `--data` it always is.
 * @throws CliError `not-found` if there is none, and none is to be made.
 */
export async function openMemory(
  cli: Cli<PttaMessages>,
  { make = false }: { readonly make?: boolean } = {},
): Promise<MemoryStore> {
  const path = memoryFile(cli);
  if (cli.data !== undefined && !make && !existsSync(path)) {
    throw new CliError('not-found', cli.text.noMemory(memoryFolder(cli)), { context: { path } });
  }
  const { MemoryStore: Store } = await import('@vizprompt/memory');
  return Store.open({ path });
}
