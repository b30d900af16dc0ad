import { readSync } from 'node:fs';
import nodeModule from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { MemoryStore } from '../memory-store.ts';
import type { HookOptions } from './hook-options.ts';
import { isError } from '@vizprompt/providers/internal';

/**
 * Returns the whole program of a hook: reads standard input, prints what the session is to know, and ends with
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
  const { stdout } = await handleHook(open, options.input ?? (await readStandardInput()), options);
  if (stdout !== '') await new Promise<void>((done) => process.stdout.write(stdout, () => done()));
  // Work that still waits, such as for a lock, is abandoned.
  process.exit(0);
}

/** How long a hook that must answer takes to store what others left. */
const PATIENCE_MS = 1000;

async function openDefault(): Promise<MemoryStore> {
  const { MemoryStore: Store } = await import('../memory-store.ts');
  // The agent waits.
  return Store.open({ hooks: { patienceMs: PATIENCE_MS } });
}

/**
 * All of standard input, read without a stream: Node takes longer to make one than to read the line that an
 * agent sends. Where reading at once is refused, as of a pipe that does not block, a stream is made after all.
 */
async function readStandardInput(): Promise<string> {
  const parts: Buffer[] = [];
  try {
    for (;;) {
      const part = Buffer.allocUnsafe(65_536);
      const bytes = readSync(0, part);
      if (bytes === 0) break;
      parts.push(part.subarray(0, bytes));
    }
  } catch (error) {
    // On Windows a pipe ends with an error.
    if (!isEnd(error)) for await (const part of process.stdin) parts.push(Buffer.from(part));
  }
  return Buffer.concat(parts).toString('utf8');
}

function isEnd(error: unknown): boolean {
  return isError(error) && 'code' in error && error.code === 'EOF';
}
