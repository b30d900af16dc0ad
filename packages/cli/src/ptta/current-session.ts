import { resolve } from 'node:path';
import type { MemoryStore, Session } from '@vizprompt/memory';
import { CliError } from '../errors.ts';
import type { Cli } from '../frame/cli.ts';
import { foldersUpwards, nearestFolder } from '../frame/project-folder.ts';
import type { PttaMessages } from './messages/ptta-messages.ts';

/** The workspace that is meant where none is named: the git repository, or else the current folder. */
export function workspaceHere(cli: Cli<PttaMessages>, given: string | undefined): string {
  if (given !== undefined) return resolve(cli.cwd, given);
  return nearestFolder(cli.cwd, ['.git']) ?? cli.cwd;
}

/**
 * The id of the session that is named, or that runs in this folder or the nearest one above it.
 *
 * @throws CliError `not-found` if none is running.
 */
export async function sessionId(
  cli: Cli<PttaMessages>,
  store: MemoryStore,
  given: string | undefined,
): Promise<string> {
  return given ?? (await currentSession(cli, store, undefined)).id;
}

/**
 * The session that runs in a workspace, or in the nearest folder above it.
 *
 * @throws CliError `not-found` if none is running.
 */
export async function currentSession(
  cli: Cli<PttaMessages>,
  store: MemoryStore,
  workspace: string | undefined,
): Promise<Session> {
  const from = resolve(cli.cwd, workspace ?? '.');
  for (const folder of foldersUpwards(from)) {
    const session = await store.currentSession(folder);
    if (session) return session;
  }
  throw new CliError('not-found', cli.text.noCurrentSession(from), {
    context: { workspace: from },
  });
}
