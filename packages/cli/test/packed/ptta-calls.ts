import type { PackedCall } from './packed-command.ts';

/** Each command of ptta at least once. */
export const pttaCalls: readonly PackedCall[] = [
  { args: ['session:start', '--workspace', '.'], shows: 'started' },
  { args: ['log:user', '-'], input: '認証機能を追加してください', shows: 'user_message' },
];
