import type { CommandModule } from '../../frame/tool.ts';
import type { VizpromptMessages } from '../messages/en.ts';
import { openProject } from '../open-project.ts';

export const undoCommand: CommandModule<VizpromptMessages> = {
  examples: ['vizprompt undo'],
  define(command, cli) {
    command.action(async () => {
      await using vizprompt = await openProject(cli);
      const edit = await vizprompt.structure.undo();
      await cli.print(edit ?? null, () =>
        edit ? cli.text.undone(edit.step.label) : cli.text.nothingToUndo,
      );
    });
  },
};

export const redoCommand: CommandModule<VizpromptMessages> = {
  examples: ['vizprompt redo'],
  define(command, cli) {
    command.action(async () => {
      await using vizprompt = await openProject(cli);
      const edit = await vizprompt.structure.redo();
      await cli.print(edit ?? null, () =>
        edit ? cli.text.redone(edit.step.label) : cli.text.nothingToRedo,
      );
    });
  },
};
