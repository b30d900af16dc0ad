import { redact } from '@vizprompt/providers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
const SIZE = 2_000_000;

/** Returns the bytes that this process holds after its garbage was collected. */
function heldBytes(): number {
  // The runtime itself keeps the last text in which an expression matched.
  /x/.test('x');
  collect();
  return process.memoryUsage().heapUsed;
}

/** Removes the secret at the end of a large text, and returns whether it had one. */
function redactLarge(secret: string): boolean {
  const text = 'a line of words\n'.repeat(SIZE / 16) + secret;
  return redact(text).redactions.length > 0;
}

it.each([
  ['a command', 'mysql -u root -phunter2Xy9 '],
  ['a command of a table', '7z x archive.7z -phunter2Xy9 '],
  ['a tool of Samba', 'smbclient //host/share -U admin%hunter2Xy9 '],
  ['a client', 'curl -u admin:hunter2Xy9 https://a.example '],
  ['a statement', 'redis-cli -a hunter2Xy9hunter '],
  ['a sentence', 'the password for admin is hunter2Xy9! '],
  ['an assignment', 'DB_PASSWORD="hunter2Xy9!kq"\n'],
  ['a long name', 'SERVICE_CLIENT_OF_OTHERS_API_KEY="q8Zr4TvW1xYp6Lm3Nd9Kc2Jb7Hf5Gs0A"\n'],
  ['an announced key', 'the access token q8Zr4TvW1xYp6Lm3Nd9Kc2Jb7Hf5Gs0A '],
])('the text with %s is not held after its secret is removed', (_, secret) => {
  // The first call prepares the rules. Other letters, as a name that is the same is not cached again.
  redact(secret.toLowerCase());
  const before = heldBytes();
  expect(redactLarge(secret)).toBe(true);
  expect(heldBytes() - before).toBeLessThan(SIZE / 2);
});
