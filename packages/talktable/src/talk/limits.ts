import { defined, isStorable } from '@vizprompt/providers';
import { TalkError } from '../errors.ts';
import type { TalkLimits } from '../log/conversation.ts';
import type { RunOptions } from '../options.ts';

/** @throws TalkError with the code `invalid-input` for what is no whole number from 1 on. */
export function limitsOf({ maxTurns, rounds }: RunOptions): TalkLimits {
  const limits = defined({ maxTurns, rounds });
  for (const [name, value] of Object.entries(limits)) {
    if (Number.isSafeInteger(value) && value >= 1) continue;
    throw new TalkError('invalid-input', `${name} must be a whole number from 1 on, not ${value}`);
  }
  return limits;
}

/** @throws TalkError with the code `invalid-input` for a name that is none or empty, or that no log can hold. */
export function assertName(name: unknown, what: string): void {
  if (typeof name !== 'string') {
    throw new TalkError('invalid-input', `${what} must be a string, not ${typeof name}`);
  }
  if (name.trim() !== '' && isStorable(name)) return;
  throw new TalkError('invalid-input', `${what} is empty or holds broken characters`);
}
