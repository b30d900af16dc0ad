import { LLMError } from '../models/llm-error.ts';
import type { Role } from '../models/message.ts';

const ROLES: Readonly<Record<Role, true>> = {
  system: true,
  user: true,
  assistant: true,
  tool: true,
};

/** Checks whether a value is one of the roles of a message. */
export function isRole(value: unknown): value is Role {
  return typeof value === 'string' && Object.hasOwn(ROLES, value);
}

/** Returns the error of a request that cannot be read: where, what it must be, what it is, and a line that is right. */
export function invalidInput(place: string, expected: string, value: unknown): LLMError {
  const message =
    `${place}: expected ${expected}, got ${shown(value)}; write ` +
    "{ role: 'user', parts: [{ type: 'text', text: '…' }] } or { role: 'user', content: '…' }";
  return new LLMError('invalid_request', message, { context: { place } });
}

/** Returns a value as its keys and texts, cut. */
function shown(value: unknown): string {
  const json: string | undefined = JSON.stringify(value, (_key, inner: unknown) =>
    inner instanceof Uint8Array ? `[${inner.byteLength} bytes]` : inner,
  );
  const text = json ?? typeof value;
  return text.length > 120 ? `${text.slice(0, 119).toWellFormed()}…` : text;
}
