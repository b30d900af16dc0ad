import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { redactionOptions, Redactor } from '../../src/redact/redactor.ts';
import { TextCache } from '../../src/text-cache.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
const SIZE = 1 << 20;
const COUNT = 40;

/** Returns the bytes that this process holds after its garbage was collected. */
function heldBytes(): number {
  // The runtime itself keeps the last text in which an expression matched.
  /x/.test('x');
  collect();
  return process.memoryUsage().heapUsed;
}

/** Gives parts of large texts to `use`, and returns how many bytes are held then. */
function heldOf(name: string, length: number, use: (part: string) => void): number {
  const before = heldBytes();
  for (let count = 0; count < COUNT; count++) {
    use(`${count} of ${name}: ${'a line of words\n'.repeat(SIZE / 16)}`.slice(0, length));
  }
  return heldBytes() - before;
}

const redactor = new Redactor(redactionOptions());
const cache = new TextCache<true>();

it.each([
  ['a short text without secrets', 120, (part: string) => void redactor.text(part, 'a text')],
  ['a value with the name of its field', 120, (key: string) => void redactor.object({ key }, 'it')],
  ['a longer text', 600, (part: string) => cache.set(part, true)],
])('%s does not hold the text from which it was cut', (name, length, use) => {
  use('the first call prepares the rules'.repeat(20));
  expect(heldOf(name, length, use)).toBeLessThan((COUNT * SIZE) / 4);
});
