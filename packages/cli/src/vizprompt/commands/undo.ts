import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import type { VizpromptMessages } from '../messages/vizprompt-messages.ts';
import { openProject } from '../open-project.ts';

export const examples: readonly string[] = ['vizprompt undo'];

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  command.action(async () => {
    await using vizprompt = await openProject(cli);
    const edit = await vizprompt.structure.undo();
    await cli.print(edit ?? null, () =>
      edit ? cli.text.undone(edit.step.label) : cli.text.nothingToUndo,
    );
  });
}
