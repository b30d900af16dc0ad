import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import { readWord } from '../../frame/read-input.ts';
import { logEvent } from '../log-event.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';

export const examples: readonly string[] = [
  'ptta log:thinking "認証にはJWTを使用し、middlewareで検証する" --context authentication',
];

export function define(command: Command, cli: Cli<PttaMessages>): void {
  command
    .argument('<content>', cli.text.message)
    .option('--context <context>', cli.text.context)
    .option('--session <id>', cli.text.session)
    .option('--parent <id>', cli.text.parent)
    .action(async (words, { context, ...options }) => {
      const content = await readWord(cli, words);
      const about = context === undefined ? {} : { context };
      await logEvent(cli, options, 'thinking', { content, ...about });
    });
}
