import type { Command } from '@commander-js/extra-typings';
import { CliError } from '../../errors.ts';
import type { Cli } from '../../frame/cli.ts';
import { changeHooks } from '../hook-settings.ts';
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
}
