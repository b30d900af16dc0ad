import { createHash } from 'node:crypto';
import { StorageError, messageOf } from '@vizprompt/providers';
import type { LockFolder } from '@vizprompt/providers/node';
import { TalkError } from '../errors.ts';

/** How long to wait for a process that is about to end, in milliseconds. */
const PATIENCE_MS = 50;

/** A lead that nobody contests: in a storage, whoever comes too late is told at the next turn. */
export const UNCONTESTED: AsyncDisposable = { [Symbol.asyncDispose]: async () => {} };

/**
 * Takes the lead of a talk until it is disposed of, or the process ends.
 *
 * @param place - The log, for messages.
 * @throws TalkError with the code `conflict` if somebody else leads the talk, or `log-unwritable`.
 */
export async function takeLead(
  locks: LockFolder,
  conversationId: string,
  place: string,
): Promise<AsyncDisposable> {
  const name = createHash('sha256').update(conversationId).digest('hex').slice(0, 32);
  try {
    const lock = await locks.lock(name, { timeoutMs: PATIENCE_MS });
    return { [Symbol.asyncDispose]: () => lock.release() };
  } catch (cause) {
    const context = { conversationId, place };
    if (StorageError.isInstance(cause) && cause.code === 'lock-timeout') {
      const message =
        `the conversation '${conversationId}' is under way: another process leads it. Let it, or stop it ` +
        'there and resume here';
      throw new TalkError('conflict', message, { cause, context });
    }
    const message = `nobody can be kept from the log ${place} while a talk goes on: ${messageOf(cause)}; give its folder the right to be written, or choose another logPath`;
    throw new TalkError('log-unwritable', message, { cause, context });
  }
}
