import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import { printErasure } from '../../frame/erase-command.ts';
import type { VizpromptMessages } from '../messages/vizprompt-messages.ts';
import { openProject } from '../open-project.ts';

export const examples: readonly string[] = ['vizprompt vacuum --dry-run', 'vizprompt vacuum'];

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  command
    .option('--keep-history', cli.text.options.keepHistory)
    .option('--keep-lost-and-found', cli.text.options.keepLostAndFound)
    .option('--dry-run', cli.text.options.dryRun)
    .action(async (options) => {
      cli.interrupts.endAtOnce();
      await using vizprompt = await openProject(cli);
      await printErasure(cli, await vizprompt.vacuum(options));
    });
}
