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
    if (memoryFile(cli) === defaultMemoryPath(cli.home)) await runHook();
    else await runHook(() => openMemory(cli, { make: true }));
  });
}
