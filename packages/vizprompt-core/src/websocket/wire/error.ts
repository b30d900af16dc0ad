import { LLMError, messageOf, StorageError, type Logger } from '@vizprompt/providers';
import { z } from 'zod';
import { VizPromptError } from '../../errors.ts';

/** A mistake in a field of a message. */
export interface FieldProblem {
  /** Such as `data.prompt`. */
  readonly field: string;
  readonly message: string;
}

/** An error as it is sent. */
export interface WireError {
  readonly code: string;
  readonly message: string;
  readonly errors?: readonly FieldProblem[];
  readonly retry_after_ms?: number;
}

export const wireError: z.ZodType = z.strictObject({
  code: z.string().describe('For programs: it does not change, as messages may'),
  message: z.string().describe('The problem, and the fix'),
  errors: z
    .array(z.strictObject({ field: z.string(), message: z.string() }))
    .exactOptional()
    .describe('Each field that was wrong, such as data.prompt'),
  retry_after_ms: z.int().exactOptional().describe('With too_many_messages: when there is room'),
});

/** Why the server itself refuses a message. */
export type RefusalCode =
  | 'invalid_message'
  | 'unknown_action'
  | 'invalid_input'
  | 'message_too_large'
  | 'too_many_messages'
  | 'no_model'
  | 'too_many_actions'
  | 'too_many_subscriptions';

/** A message that the server refuses; it never leaves this folder but as a {@link WireError}. */
export class MessageRefused extends Error {
  readonly wire: WireError;

  constructor(code: RefusalCode, message: string, more: Omit<WireError, 'code' | 'message'> = {}) {
    super(message);
    this.wire = { code, message, ...more };
  }
}

/** Storage errors that pass by themselves. */
const PASSING: readonly string[] = ['busy', 'lock-timeout', 'connection'];

/** Returns an error in the form of the protocol. Details that are not meant for clients are logged only. */
export function toWireError(error: unknown, logger: Logger): WireError {
  if (error instanceof MessageRefused) return error.wire;
  if (VizPromptError.isInstance(error)) return told(error.code, error.message);
  if (LLMError.isInstance(error)) {
    const code = error.code === 'aborted' ? 'cancelled' : `model_${error.code}`;
    return told(code, error.message);
  }
  logger.error('an action failed', { error: messageOf(error) });
  if (StorageError.isInstance(error)) {
    if (error.code === 'invalid-text') return told('invalid_input', error.message);
    if (error.code === 'closed') return told('closed', 'the storage is closed');
    if (PASSING.includes(error.code)) {
      return told('busy', 'the project is busy: try again in a moment');
    }
  }
  return told('internal', 'the server failed; its log says why');
}

/** Codes are written with `_` in the protocol, as everything is. */
function told(code: string, message: string): WireError {
  return { code: code.replaceAll('-', '_'), message };
}
