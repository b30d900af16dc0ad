import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import type { ErasureReport } from '@vizprompt/providers';
import type { Cli } from '../../frame/cli.ts';
import { defineErase } from '../../frame/erase-command.ts';
import type { VizpromptMessages } from '../messages/vizprompt-messages.ts';
import { openProject, projectFolder } from '../open-project.ts';

export const examples: readonly string[] = [
  'vizprompt erase --speaker Alice --dry-run',
  'vizprompt erase --speaker Alice --mentions',
];

/** The project, and the runs of workflows in its folder. */
export function define(command: Command, cli: Cli<VizpromptMessages>): void {
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
}
