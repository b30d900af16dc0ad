import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ErasureReport } from '@vizprompt/providers';
import { defineErase, printErasure } from '../../frame/erase-command.ts';
import type { CommandModule } from '../../frame/tool.ts';
import type { VizpromptMessages } from '../messages/en.ts';
import { openProject, projectFolder } from '../open-project.ts';

/** The project, and the runs of workflows in its folder. */
export const eraseCommand: CommandModule<VizpromptMessages> = {
  examples: [
    'vizprompt erase --speaker Alice --dry-run',
    'vizprompt erase --speaker Alice --mentions',
  ],
  define(command, cli) {
    defineErase(command, cli, async (options) => {
      const reports: ErasureReport[] = [];
      {
        await using vizprompt = await openProject(cli);
        reports.push(await vizprompt.eraseSpeaker(options));
      }
      const folder = projectFolder(cli);
      if (!existsSync(join(folder, '.vizprompt', 'database.db'))) return reports;
      const { openStorage } = await import('@vizprompt/providers/node');
      const { eraseSpeaker } = await import('@vizprompt/workflow');
      await using storage = await openStorage(folder);
      return [...reports, await eraseSpeaker(storage, options)];
    });
  },
};

export const vacuumCommand: CommandModule<VizpromptMessages> = {
  examples: ['vizprompt vacuum --dry-run', 'vizprompt vacuum'],
  define(command, cli) {
    command
      .option('--keep-history', cli.text.options.keepHistory)
      .option('--keep-lost-and-found', cli.text.options.keepLostAndFound)
      .option('--dry-run', cli.text.options.dryRun)
      .action(async (options) => {
        cli.interrupts.endAtOnce();
        await using vizprompt = await openProject(cli);
        await printErasure(cli, await vizprompt.vacuum(options));
      });
  },
};
