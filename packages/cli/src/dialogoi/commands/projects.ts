import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import { remark } from '../../frame/remark.ts';
import { warn } from '../../frame/warn.ts';
import type { DialogoiMessages } from '../messages/dialogoi-messages.ts';
import { openNovels } from '../open-novels.ts';
import { addSettings } from '../settings-options.ts';

export const examples: readonly string[] = [
  'dialogoi projects',
  'dialogoi projects --project-root ./my-novels --json',
];

export function define(command: Command, cli: Cli<DialogoiMessages>): void {
  command.action(async () => {
    await using opened = await openNovels(cli, command);
    const projects = await opened.novels.listProjects();
    if (cli.isJson) return await cli.out.json(projects);
    if (projects.length === 0) await remark(cli, cli.frame.nothingFound);
    for (const { id, title, author = '', tags, problem } of projects) {
      const facts = [title === id ? '' : title, author, tags.join(', ')];
      await cli.out.line([cli.out.style('bold', id), ...facts].filter(Boolean).join('  '));
      if (problem !== undefined) await warn(cli, `${id}: ${problem}`);
    }
  });
  addSettings(command, cli);
}
