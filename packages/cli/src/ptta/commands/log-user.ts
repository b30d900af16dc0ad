import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import { readWord } from '../../frame/read-input.ts';
import { sessionId } from '../current-session.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';
import { openMemory } from '../open-memory.ts';

export const examples: readonly string[] = [
  'ptta log:user "認証機能を追加してください"',
  'ptta log:user - < message.txt',
];

export function define(command: Command, cli: Cli<PttaMessages>): void {
  command
    .argument('<message>', cli.text.message)
    .option('--session <id>', cli.text.session)
    .action(async (message, { session }) => {
      const content = await readWord(cli, message);
      await using store = await openMemory(cli);
      const event = await store.log(await sessionId(cli, store, session), 'user_message', {
        content,
      });
      await cli.print(event, () => cli.text.logged(event.sequence, event.type, event.id));
    });
}
