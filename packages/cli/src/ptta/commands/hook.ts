import { Option, type Command } from '@commander-js/extra-typings';
import { defaultMemoryPath } from '../memory-path.ts';
import type { Cli } from '../../frame/cli.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';
import { readInputOf } from '../hook-input.ts';
import { memoryFile, openMemory } from '../open-memory.ts';

export const examples: readonly string[] = [
  `echo '{"hook_event_name":"Stop","session_id":"s","cwd":"."}' | ptta hook`,
];

/** How long a hook takes to store what others left: the agent waits. */
const PATIENCE_MS = 1000;

export function define(command: Command, cli: Cli<PttaMessages>): void {
  const agents = ['claude-code', 'codex', 'copilot', 'gemini', 'opencode'] as const;
  const agentOption = new Option('--agent <agent>', cli.text.hookAgent).choices(agents);
  command.addOption(agentOption.default('claude-code' as const)).action(async ({ agent }) => {
    const { runHook } = await import('@vizprompt/memory/hooks');
    const options = { agent, input: readInputOf() };
    // That module holds all that the usual memory needs; another one is opened by the package itself.
    const path = await memoryFile(cli, { fallsBack: true }).catch((error: unknown) => ({ error }));
    if (path === defaultMemoryPath(cli.home)) await runHook(undefined, options);
    else if (typeof path === 'string')
      await runHook(() => openMemory(cli, { make: true, patienceMs: PATIENCE_MS }), options);
    // The log of hooks receives the error.
    else await runHook(() => Promise.reject(path.error), options);
  });
}
