import type { PackedCall } from './packed-command.ts';

/** Each command of vizprompt at least once. */
export const vizpromptCalls: readonly PackedCall[] = [];
