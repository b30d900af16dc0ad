import { resolve } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { CliError } from '../../errors.ts';
import { type Cli, remark } from '../../frame/cli.ts';
import type { VizpromptMessages } from '../messages/en.ts';

export const examples: readonly string[] = [
  'vizprompt init',
  'vizprompt init our-project --git && git -C our-project add .',
];

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  command
    .argument('[folder]', cli.text.args.folder)
    .option('--git', cli.text.options.git)
    .action(async (given, { git = false }) => {
      if (given !== undefined && cli.data !== undefined) {
        throw new CliError('usage', cli.frame.onlyOne('FOLDER, --data'));
      }
      const folder = resolve(cli.cwd, given ?? cli.data ?? '.');
      const { VizPrompt } = await import('@vizprompt/core');
      const report = await VizPrompt.init(folder, { git });
      const isNew = report.written.length > 0;
      await cli.print({ folder, ...report }, () =>
        [
          isNew ? cli.text.made(folder) : cli.text.unchanged(folder),
          ...report.written.map((file) => cli.text.wrote(file)),
        ].join('\n'),
      );
      if (report.mergeDriver) await remark(cli, cli.text.mergeDriver[report.mergeDriver]);
    });
}
