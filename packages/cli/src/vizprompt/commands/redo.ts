import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import type { VizpromptMessages } from '../messages/vizprompt-messages.ts';
import { openProject } from '../open-project.ts';

export const examples: readonly string[] = ['vizprompt redo'];

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  command.action(async () => {
    await using vizprompt = await openProject(cli);
    const edit = await vizprompt.structure.redo();
    await cli.print(edit ?? null, () =>
      edit ? cli.text.redone(edit.step.label) : cli.text.nothingToRedo,
    );
  });
}
