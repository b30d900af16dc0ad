import { join, resolve } from 'node:path';
import type { HookAgent } from '@vizprompt/memory/hooks';
import type { Cli } from '../frame/cli.ts';
import type { PttaMessages } from './messages/ptta-messages.ts';

/** Settings to add hooks to, or to remove them from. */
export interface HookSettings {
  readonly agent: HookAgent;
  /** The settings file. Default: that of the user, or of the project. */
  readonly settings?: string | undefined;
  readonly project?: boolean | undefined;
  /** The command of the hooks. Default: `ptta hook`, with the agent and the folder of the data. */
  readonly command?: string | undefined;
  readonly remove?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
}

/**
 * Adds the hooks to the settings of an agent, or removes them, and reports it.
 *
 * @throws MemoryError `path-outside` for settings that a link of the project leads to; what the file system reports.
 */
export async function changeHooks(
  cli: Cli<PttaMessages>,
  { agent, settings, project = false, command, remove = false, dryRun = false }: HookSettings,
): Promise<void> {
  const { HOOK_FORMS, installHooks, uninstallHooks } = await import('@vizprompt/memory/hooks');
  const named = settings ?? (project ? join(...HOOK_FORMS[agent].project) : undefined);
  const options = {
    agent,
    command: command ?? commandOf(cli, agent),
    dryRun,
    // The project may come from elsewhere; a link of this user in their home folder is followed.
    ...(named === undefined ? {} : { settingsFile: resolve(cli.cwd, named), project: cli.cwd }),
  };
  const report = remove ? await uninstallHooks(options) : await installHooks(options);
  const { settingsFile } = report;
  const events = report.hooks.join(', ');
  await cli.print({ agent, dryRun, ...report }, () =>
    [
      ...(dryRun ? [cli.text.setupDry] : []),
      remove
        ? cli.text.hooksRemoved(events, settingsFile)
        : cli.text.hooksInstalled(events, settingsFile),
      ...(agent === 'codex' && !remove ? [cli.text.codexTrust] : []),
    ].join('\n'),
  );
}

/** Claude Code's own form is the default of the hook. */
function commandOf(cli: Cli<PttaMessages>, agent: HookAgent): string {
  const words = ['ptta', 'hook', ...(agent === 'claude-code' ? [] : ['--agent', agent])];
  if (cli.data === undefined) return words.join(' ');
  return `${words.join(' ')} --data '${resolve(cli.cwd, cli.data).replaceAll("'", `'\\''`)}'`;
}
