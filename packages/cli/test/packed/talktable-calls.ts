import type { PackedCall } from './packed-command.ts';

/** Each command of talktable at least once. */
export const talktableCalls: readonly PackedCall[] = [];
