import { createHash, timingSafeEqual } from 'node:crypto';
import { checkArgument } from '../input/check-input.ts';
import { TEXT } from '../input/kinds.ts';

/** Checks whether what a client brought is the token. */
export type TokenCheck = (given: string | undefined) => boolean;

/** Compares with a token; how long it takes reveals nothing about it. */
export function createTokenCheck(token: string): TokenCheck {
  checkArgument('the token of createTokenCheck', token, TEXT);
  const expected = digest(token);
  return (given) => timingSafeEqual(digest(given ?? ''), expected) && given !== undefined;
}

/** Returns the token after `Bearer` in an `Authorization` header. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : /^bearer (.*)$/is.exec(authorization)?.[1];
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
