import type { Command } from '@commander-js/extra-typings';
import { CliError } from '../../errors.ts';
import type { Cli } from '../../frame/cli.ts';
import { readSource } from '../../frame/read-input.ts';
import type { DialogoiMessages } from '../messages/dialogoi-messages.ts';
import { openNovels } from '../open-novels.ts';
import { placeOf, whichProject } from '../place-of.ts';
import { addSettings } from '../settings-options.ts';

export const examples: readonly string[] = [
  'dialogoi add settings/人物.md --content "# 灯"',
  'dialogoi add contents/第三章.md --content-file draft.md --overwrite',
  'dialogoi add contents/第三章.md --content - < draft.md',
];

export function define(command: Command, cli: Cli<DialogoiMessages>): void {
  const { add: text } = cli.text;
  command
    .argument('<path>', text.file)
    .option('--project <id>', cli.text.project)
    .option('--content <text>', text.content)
    .option('--content-file <file>', text.contentFile)
    .option('--overwrite', text.overwrite)
    .action(async (path, { project, content, contentFile, overwrite = false }) => {
      const { place, file } = placeOf(cli, path);
      if (place === 'instructions' || file === undefined) {
        throw new CliError('usage', cli.text.notAPlace(path), { context: { path } });
      }
      const fileOption = '--content-file';
      const source = { option: '--content', text: content, fileOption, file: contentFile };
      const words = await readSource(cli, source);
      if (words === undefined) {
        throw new CliError('usage', cli.frame.giveOne('--content, --content-file'));
      }
      await using opened = await openNovels(cli, command);
      const id = await whichProject(cli, opened, project);
      const written = await opened.novels.add(id, place, file, words, { overwrite });
      await cli.print({ project: id, ...written }, () =>
        text.written(written.path, written.created),
      );
    });
  addSettings(command, cli);
}
