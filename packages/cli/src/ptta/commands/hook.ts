import { Option } from '@commander-js/extra-typings';
import type { CommandModule } from '../../frame/tool.ts';
import { readInputOf } from '../quick-hook.ts';
import { defaultMemoryPath } from '../memory-path.ts';
import type { PttaMessages } from '../messages/en.ts';
import { memoryFile, openMemory } from '../open-memory.ts';

/** How long a hook takes to store what others left: the agent waits. */
const PATIENCE_MS = 1000;

export const hookCommand: CommandModule<PttaMessages> = {
  examples: [`echo '{"hook_event_name":"Stop","session_id":"s","cwd":"."}' | ptta hook`],
  define(command, cli) {
    const agents = ['claude-code', 'codex', 'copilot', 'gemini', 'opencode'] as const;
    const agentOption = new Option('--agent <agent>', cli.text.hookAgent).choices(agents);
    command.addOption(agentOption.default('claude-code' as const)).action(async ({ agent }) => {
      const { runHook } = await import('@vizprompt/memory/hooks');
      const options = { agent, input: readInputOf() };
      // That module holds all that the usual memory needs; another one is opened by the package itself.
      const path = await memoryFile(cli, { fallsBack: true }).catch((error: unknown) => ({
        error,
      }));
      if (path === defaultMemoryPath(cli.home)) await runHook(undefined, options);
      else if (typeof path === 'string')
        await runHook(() => openMemory(cli, { make: true, patienceMs: PATIENCE_MS }), options);
      // The log of hooks receives the error.
      else await runHook(() => Promise.reject(path.error), options);
    });
  },
};

/** Hooks that end a turn start it; it is for people who want to know what waits, too. */
export const hooksIngestCommand: CommandModule<PttaMessages> = {
  examples: ['ptta hooks:ingest', 'ptta hooks:ingest --dry-run'],
  define(command, cli) {
    command.option('--dry-run', cli.text.ingestDryRun).action(async ({ dryRun = false }) => {
      await using store = await openMemory(cli, { make: true, fallsBack: true, patienceMs: 0 });
      const { signal } = cli;
      const report = await store.ingestHooks({ signal, dryRun });
      await cli.print(report, () =>
        cli.text.ingested(report.stored, report.failed, report.waiting),
      );
    });
  },
};
