import { resolve } from 'node:path';
import { Option, type Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import { sessionId } from '../current-session.ts';
import { textOfFile } from '../log-event.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';
import { openMemory } from '../open-memory.ts';

export const examples: readonly string[] = [
  'ptta log:edit src/auth.ts --action edit',
  'ptta log:edit src/auth.ts --action edit --error "disk full"',
];

export function define(command: Command, cli: Cli<PttaMessages>): void {
  const actions = new Option('--action <action>', cli.text.action).makeOptionMandatory();
  command
    .argument('<file_path>', cli.text.file)
    .addOption(actions.choices(['create', 'edit', 'delete'] as const))
    .option('--error <message>', cli.text.editError)
    .option('--session <id>', cli.text.session)
    .option('--parent <id>', cli.text.parent)
    .action(async (file, { action, error, session, parent }) => {
      const path = resolve(cli.cwd, file);
      await using store = await openMemory(cli);
      const id = await sessionId(cli, store, session);
      // The edit carries out the last intention that is not done yet.
      const intended = await store.pendingIntentions({ session: id });
      const intention = intended.findLast(({ data }) => data.file_path === path);
      const before = intention?.data.old_content;
      const after = action === 'delete' ? undefined : await textOfFile(path);
      const cause = parent ?? intention?.id;
      const event = await store.log(
        id,
        'file_edit',
        {
          action,
          file_path: path,
          ...(before === undefined ? {} : { old_content: before }),
          ...(after === undefined ? {} : { new_content: after }),
          ...(intention === undefined ? {} : { intention_event_id: intention.id }),
          success: error === undefined,
          ...(error === undefined ? {} : { error_message: error }),
        },
        cause === undefined ? {} : { parent: cause },
      );
      await cli.print(event, () => cli.text.logged(event.sequence, event.type, event.id));
      // Most often the path is wrong, such as one of another folder, and the user would never notice.
      const isLost = action !== 'delete' && error === undefined && after === undefined;
      if (isLost && !cli.isJson)
        await cli.err.line(cli.err.style('dim', cli.text.withoutText(path)));
    });
}
