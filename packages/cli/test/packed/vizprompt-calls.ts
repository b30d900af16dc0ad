import type { PackedCall } from './packed-command.ts';
import { workflowCalls } from './workflow-calls.ts';

/** Each command of vizprompt at least once. */
export const vizpromptCalls: readonly PackedCall[] = [...workflowCalls];
