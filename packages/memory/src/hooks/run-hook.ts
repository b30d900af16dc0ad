import { homedir } from 'node:os';
import { join } from 'node:path';
import nodeModule from 'node:module';
import type { MemoryStore } from '../memory-store.ts';
import type { HookOptions } from './hook-options.ts';
import { readStandardInput } from './read-input.ts';

/**
 * The whole program of a hook: reads standard input, prints what the session is to know, and ends with
 * 0 whatever happens.
 *
 * @param open - How to open the store. Default: the memory of this user.
 *
 * @example
 * ```ts
 * await runHook();
 * ```
 */
export async function runHook(
  open: () => Promise<MemoryStore> = openDefault,
  options: HookOptions = {},
): Promise<never> {
  // Node 22 and newer keep what they compiled, so that the next hook starts faster.
  const enable: unknown = Reflect.get(nodeModule, 'enableCompileCache');
  if (typeof enable === 'function') {
    Reflect.apply(enable, nodeModule, [join(homedir(), '.ptta', 'compiled')]);
  }
  const { handleHook } = await import('./handle-hook.ts');
  const { stdout } = await handleHook(open, await readStandardInput(), options);
  if (stdout !== '') await new Promise<void>((done) => process.stdout.write(stdout, () => done()));
  // What still waits, such as for a lock, is left.
  process.exit(0);
}

async function openDefault(): Promise<MemoryStore> {
  const { MemoryStore: Store } = await import('../memory-store.ts');
  return Store.open();
}
