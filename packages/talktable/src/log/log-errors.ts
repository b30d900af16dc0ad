import { messageOf, StorageError } from '@vizprompt/providers';
import { damageErrors, type DamageErrors } from '@vizprompt/providers/internal';
import { TalkError } from '../errors.ts';
import type { TalkTurn } from './conversation.ts';

/** Returns the error for continuing with a talk that is over. */
export function finished(conversationId: string): TalkError {
  const message = `the conversation '${conversationId}' has come to its end`;
  return new TalkError('finished', message, { context: { conversationId } });
}

/** Returns the message of the database, without the statement that it was given. */
export function reasonOf(error: StorageError): string {
  return 'sqlite' in error.context ? messageOf(error.cause) : error.message;
}

export function isTaken(error: unknown): boolean {
  return StorageError.isInstance(error) && error.code === 'constraint';
}

export function conflict({
  conversationId,
  number,
}: Pick<TalkTurn, 'conversationId' | 'number'>): TalkError {
  const message =
    `turn ${number} of the conversation '${conversationId}' was written by another process, which ` +
    'continues with it. Let it, or stop it there and resume here';
  return new TalkError('conflict', message, { context: { conversationId, number } });
}

/** The errors for rows that cannot be read. */
const errors: DamageErrors<TalkError> = damageErrors(
  (message, context) => new TalkError('corrupt', message, { context }),
);
export const damagedRows: DamageErrors<TalkError>['damagedRows'] = errors.damagedRows;
export const reading: DamageErrors<TalkError>['reading'] = errors.reading;
