import type { Command } from '@commander-js/extra-typings';
import { defaultMemoryPath } from '../memory-path.ts';
import type { Cli } from '../../frame/cli.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';
import { memoryFile, openMemory } from '../open-memory.ts';

export const examples: readonly string[] = [
  `echo '{"hook_event_name":"Stop","session_id":"s","cwd":"."}' | ptta hook`,
];

export function define(command: Command, cli: Cli<PttaMessages>): void {
  command.action(async () => {
    const { runHook } = await import('@vizprompt/memory/hooks');
    // That module holds all that the usual memory needs; another one is opened by the package itself.
    const path = await memoryFile(cli, { fallsBack: true }).catch((error: unknown) => ({ error }));
    if (path === defaultMemoryPath(cli.home)) await runHook();
    else if (typeof path === 'string') await runHook(() => openMemory(cli, { make: true }));
    // The log of hooks receives the error.
    else await runHook(() => Promise.reject(path.error));
  });
}
