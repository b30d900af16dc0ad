import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import { readWord } from '../../frame/read-input.ts';
import { logEvent } from '../log-event.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';

export const examples: readonly string[] = [
  'ptta log:assistant "JWTトークンの検証ロジックを追加します。"',
  'ptta log:assistant - < answer.md',
];

export function define(command: Command, cli: Cli<PttaMessages>): void {
  command
    .argument('<message>', cli.text.message)
    .option('--session <id>', cli.text.session)
    .option('--parent <id>', cli.text.parent)
    .action(async (message, options) => {
      await logEvent(cli, options, 'assistant_message', { content: await readWord(cli, message) });
    });
}
