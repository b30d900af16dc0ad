import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { HookFiles, MemoryStore } from '@vizprompt/memory';
import { type Cli, warn } from '../frame/cli.ts';
import { CliError } from '../errors.ts';
import { memoryIn, projectMemory } from './memory-path.ts';
import type { PttaMessages } from './messages/en.ts';
import { isError } from '@vizprompt/providers/internal';

/** How a memory is looked for. */
export interface MemoryToFind {
  /**
   * Uses the memory of this user instead of one of a folder that is not trusted, as for hooks and
   * servers, which other programs start. Default: `false`, which is an error that says how to consent.
   */
  readonly fallsBack?: boolean;
}

/** How a memory is opened. */
export interface MemoryToOpen extends MemoryToFind {
  /** True if one is made in a folder that `--data` names. Without `--data` it always is. */
  readonly make?: boolean;
  /** How long opening takes to store what hooks have left, in milliseconds. Default: until all is stored. */
  readonly patienceMs?: number;
}

/**
 * Returns the file of the memory: in `--data`, or in the nearest `.ptta` upwards with one that this user
 * trusts, or in `~/.ptta`. A memory that came with a folder would store what is said there, and would
 * send its author's words to models.
 *
 * @throws TrustError `untrusted`; CliError `failed` for one that is never used.
 */
export async function memoryFile(
  cli: Cli<PttaMessages>,
  { fallsBack = false }: MemoryToFind = {},
): Promise<string> {
  if (cli.data !== undefined) {
    const folder = resolve(cli.cwd, cli.data);
    if (existsSync(memoryIn(folder))) await refuseTracked(cli, folder);
    return memoryIn(folder);
  }
  const own = join(cli.home, '.ptta');
  const folder = projectMemory(cli.cwd, own);
  if (folder === undefined) return memoryIn(own);
  try {
    await assertUsable(cli, folder);
    return memoryIn(folder);
  } catch (error) {
    if (!fallsBack) throw error;
    await warn(cli, cli.text.ownMemory(folder, own, isError(error) ? error.message : ''));
    return memoryIn(own);
  }
}

async function assertUsable(cli: Cli<PttaMessages>, folder: string): Promise<void> {
  const { memoryProblem, memoryTrust } = await import('../frame/store-trust.ts');
  const problem = cli.globals.trust === true ? undefined : memoryProblem(folder);
  if (problem !== undefined) {
    throw new CliError('failed', cli.text.memoryProblems[problem](folder), { context: { folder } });
  }
  const { consentOf } = await import('../frame/consent.ts');
  const { assertTrusted } = await import('@vizprompt/providers/trust');
  await assertTrusted(memoryTrust(folder), consentOf(cli));
}

/** Refuses a memory that would be published with the repository. */
async function refuseTracked(cli: Cli<PttaMessages>, folder: string): Promise<void> {
  const { isTrackedByGit } = await import('@vizprompt/providers/trust/internal');
  if (cli.globals.trust === true || !isTrackedByGit(memoryIn(folder))) return;
  throw new CliError('failed', cli.text.memoryProblems.tracked(folder), { context: { folder } });
}

/**
 * Opens the memory. One that is made is trusted by that.
 *
 * @throws CliError `not-found` if there is none, and none is to be made; and what {@link memoryFile} throws.
 */
export async function openMemory(
  cli: Cli<PttaMessages>,
  { make = false, fallsBack = false, patienceMs }: MemoryToOpen = {},
): Promise<MemoryStore> {
  const path = await memoryFile(cli, { fallsBack });
  const isNew = !existsSync(path);
  if (cli.data !== undefined && !make && isNew) {
    const folder = resolve(cli.cwd, cli.data);
    throw new CliError('not-found', cli.text.noMemory(folder), { context: { path } });
  }
  const { MemoryStore: Store } = await import('@vizprompt/memory');
  const store = await Store.open({ path, hooks: { ...(await hookFiles(cli, path)), patienceMs } });
  if (cli.data !== undefined && isNew) await trustNew(resolve(cli.cwd, cli.data));
  return store;
}

/**
 * Returns where hooks leave their calls: also those for the memory of a project, which come into this one if it is that
 * of the project, or is used instead.
 */
async function hookFiles(cli: Cli<PttaMessages>, path: string): Promise<HookFiles> {
  const folder = join(cli.home, '.ptta');
  const isNamed = cli.data !== undefined;
  const isOwn = path === memoryIn(folder);
  const project = isNamed && !isOwn ? dirname(path) : projectMemory(cli.cwd, folder);
  if (project === undefined) return { folder };
  const { spoolFolder } = await import('@vizprompt/memory/internal');
  const spool = spoolFolder(folder, memoryIn(project), true);
  if (!existsSync(spool)) return { folder };
  // One that is named is not trusted by that; the own one has the calls for those that are not.
  const isUsed = !isNamed || (await isUsable(cli, project)) !== isOwn;
  return { folder, spools: isUsed ? [spool] : [] };
}

async function isUsable(cli: Cli<PttaMessages>, folder: string): Promise<boolean> {
  try {
    await assertUsable(cli, folder);
    return true;
  } catch {
    return false;
  }
}

/** A home folder that cannot be written has no record; `--data` names the memory then. */
async function trustNew(folder: string): Promise<void> {
  const { grantTrust, TrustError } = await import('@vizprompt/providers/trust');
  const { memoryTrust } = await import('../frame/store-trust.ts');
  try {
    await grantTrust(memoryTrust(folder));
  } catch (error) {
    if (!TrustError.isInstance(error)) throw error;
  }
}
