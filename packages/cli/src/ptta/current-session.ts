import { resolve } from 'node:path';
import type { MemoryStore, SessionInfo } from '@vizprompt/memory';
import { CliError } from '../errors.ts';
import type { Cli } from '../frame/cli.ts';
import { foldersUpwards, nearestFolder } from '../frame/paths.ts';
import type { PttaMessages } from './messages/en.ts';

/** Returns the workspace that is meant where none is named: the git repository, or else the current folder. */
export function workspaceHere(cli: Cli<PttaMessages>, given: string | undefined): string {
  // An empty one, such as that of a variable that is not set, is refused by the memory.
  return given ?? nearestFolder(cli.cwd, ['.git']) ?? cli.cwd;
}

/**
 * Returns the id of the session that is named, or that runs in this folder or the nearest one above it.
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
 * Returns the session that runs in a workspace, or in the nearest folder above it.
 *
 * @throws CliError `not-found` if none is running.
 */
export async function currentSession(
  cli: Cli<PttaMessages>,
  store: MemoryStore,
  workspace: string | undefined,
): Promise<SessionInfo> {
  const from = resolve(cli.cwd, workspace ?? '.');
  for (const folder of foldersUpwards(from)) {
    const session = await store.currentSession(folder);
    if (session) return session;
  }
  throw new CliError('not-found', cli.text.noCurrentSession(from), {
    context: { workspace: from },
  });
}

/**
 * Returns the session that is named, or that runs here, or else the newest of this folder or the nearest one above.
 *
 * @throws CliError `not-found` if there is none; MemoryError `session-not-found`.
 */
export async function sessionToRead(
  cli: Cli<PttaMessages>,
  store: MemoryStore,
  given: string | undefined,
): Promise<SessionInfo> {
  if (given !== undefined) return store.getSession(given);
  for (const workspace of foldersUpwards(cli.cwd)) {
    const running = await store.currentSession(workspace);
    const [newest] = running ? [running] : await store.listSessions({ workspace, limit: 1 });
    if (newest) return newest;
  }
  throw new CliError('not-found', cli.text.noSession(cli.cwd), { context: { workspace: cli.cwd } });
}
