import type { PackedCall } from './packed-command.ts';

/** Each command of dialogoi at least once. */
export const dialogoiCalls: readonly PackedCall[] = [];
