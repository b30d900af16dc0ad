import { join, resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { CliError } from '../../errors.ts';
import type { Cli } from '../../frame/cli.ts';
import { refuseOutside } from '../hook-settings.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';

export const examples: readonly string[] = [
  'ptta setup claude-code',
  'ptta setup codex --project --dry-run',
  'ptta setup gemini --undo',
];

export function define(command: Command, cli: Cli<PttaMessages>): void {
  command
    .argument('<agent>', cli.text.setupAgent)
    .option('--project', cli.text.setupProject)
    .option('--undo', cli.text.removeHooks)
    .option('--dry-run', cli.text.setupDryRun)
    .action(async (name, { project = false, undo = false, dryRun = false }) => {
      const hooks = await import('@vizprompt/memory/hooks');
      const agent = hooks.HOOK_AGENTS.find((known) => known === name);
      if (agent === undefined) {
        throw new CliError('usage', cli.text.unknownAgent(name, hooks.HOOK_AGENTS.join(', ')), {
          context: { agent: name },
        });
      }
      const named = project ? join(...hooks.HOOK_FORMS[agent].project) : undefined;
      if (named !== undefined) await refuseOutside(cli, named);
      const options = {
        agent,
        command: commandOf(cli, agent),
        dryRun,
        ...(named === undefined ? {} : { settingsFile: resolve(cli.cwd, named) }),
      };
      const report = undo ? await hooks.uninstallHooks(options) : await hooks.installHooks(options);
      const { settingsFile } = report;
      const events = report.hooks.join(', ');
      await cli.print({ agent, dryRun, ...report }, () => {
        const said = undo
          ? cli.text.hooksRemoved(events, settingsFile)
          : cli.text.hooksInstalled(events, settingsFile);
        const isCodex = agent === 'codex' && !undo;
        return [
          ...(dryRun ? [cli.text.setupDry] : []),
          said,
          ...(isCodex ? [cli.text.codexTrust] : []),
        ].join('\n');
      });
    });
}

/** Claude Code's own form is the default of the hook. */
function commandOf(cli: Cli<PttaMessages>, agent: string): string {
  const words = ['ptta', 'hook', ...(agent === 'claude-code' ? [] : ['--agent', agent])];
  if (cli.data === undefined) return words.join(' ');
  return `${words.join(' ')} --data '${resolve(cli.cwd, cli.data).replaceAll("'", `'\\''`)}'`;
}
