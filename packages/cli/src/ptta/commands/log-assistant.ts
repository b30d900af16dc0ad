import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import { defineMessageCommand } from '../log-event.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';

export const examples: readonly string[] = [
  'ptta log:assistant "JWTトークンの検証ロジックを追加します。"',
  'ptta log:assistant - < answer.md',
];

export function define(command: Command, cli: Cli<PttaMessages>): void {
  defineMessageCommand(command, cli, 'assistant_message');
}
