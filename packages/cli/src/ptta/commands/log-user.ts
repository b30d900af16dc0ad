import type { Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import { defineMessageCommand } from '../log-event.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';

export const examples: readonly string[] = [
  'ptta log:user "認証機能を追加してください"',
  'ptta log:user - < message.txt',
];

export function define(command: Command, cli: Cli<PttaMessages>): void {
  defineMessageCommand(command, cli, 'user_message');
}
