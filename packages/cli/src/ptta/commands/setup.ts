import { join, resolve } from 'node:path';
import type { HookAgent } from '@vizprompt/memory/hooks';
import { CliError } from '../../errors.ts';
import type { Cli } from '../../frame/cli.ts';
import type { CommandModule } from '../../frame/tool.ts';
import type { PttaMessages } from '../messages/en.ts';

export const setupCommand: CommandModule<PttaMessages> = {
  examples: [
    'ptta setup claude-code',
    'ptta setup codex --project --dry-run',
    'ptta setup gemini --undo',
  ],
  define(command, cli) {
    command
      .argument('<agent>', cli.text.setupAgent)
      .option('--project', cli.text.setupProject)
      .option('--undo', cli.text.removeHooks)
      .option('--dry-run', cli.text.setupDryRun)
      .action(async (name, { project, undo: remove, dryRun }) => {
        const { HOOK_AGENTS } = await import('@vizprompt/memory/hooks');
        const agent = HOOK_AGENTS.find((known) => known === name);
        if (agent === undefined) {
          throw new CliError('usage', cli.text.unknownAgent(name, HOOK_AGENTS.join(', ')), {
            context: { agent: name },
          });
        }
        await changeHooks(cli, { agent, project, remove, dryRun });
      });
  },
};

/** `ptta setup claude-code`, for settings elsewhere and another command, too. */
export const hooksInstallCommand: CommandModule<PttaMessages> = {
  examples: ['ptta hooks:install', 'ptta hooks:install --project', 'ptta hooks:install --remove'],
  define(command, cli) {
    command
      .option('--settings <file>', cli.text.settingsFile)
      .option('--project', cli.text.projectSettings)
      .option('--command <command>', cli.text.hookCommand)
      .option('--remove', cli.text.removeHooks)
      .action((options) => changeHooks(cli, { agent: 'claude-code', ...options }));
  },
};

/** Settings to add hooks to, or to remove them from. */
interface HookSettings {
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
async function changeHooks(
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
