import { runInNewContext } from 'node:vm';
import { decodeUtf8 } from '@vizprompt/providers/config';
import { expect, it } from 'vitest';
import { checkedRecords, unitVector } from '../../../src/vector/check-vectors.ts';

/** Returns a value as a test of Jest has it, whose context has classes of its own. */
const foreign = (code: string): never => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- plain JavaScript
  return runInNewContext(code) as never;
};

it.each(['new Float32Array([3, 4])', '[3, 4]', 'Array.of(3, 4)'])('takes the vector %s', (code) => {
  const vector = foreign(code);
  expect(vector).not.toBeInstanceOf(Float32Array);
  const unit = Float32Array.of(0.6, 0.8);
  expect(unitVector(vector, 2, 'it')).toEqual(unit);
  expect(unitVector(vector, 2, 'it')).toBeInstanceOf(Float32Array);
  const records = checkedRecords([{ id: 'a', vector }], 2, 'the store');
  expect(records).toEqual([{ id: 'a', vector: unit }]);
});

it.each([
  '["3", "4"]',
  '[3, null]',
  'new Uint8Array([3, 4])',
  'new DataView(new ArrayBuffer(8))',
  '({ [Symbol.toStringTag]: "Float32Array", length: 2 })',
  '"34"',
])('refuses the vector %s', (code) => {
  expect(() => unitVector(foreign(code), 2, 'it')).toThrow(/expected a Float32Array/);
});

it('refuses numbers that are not finite, and another length, of any array', () => {
  expect(() => unitVector(foreign('[3, NaN]'), 2, 'it')).toThrow(/not finite/);
  expect(() => unitVector(foreign('[3]'), 2, 'it')).toThrow(/1 dimensions, not 2/);
});

it('reads bytes of another realm', () => {
  const bytes = foreign('new Uint8Array([0xe7, 0x8c, 0xab])');
  expect(bytes).not.toBeInstanceOf(Uint8Array);
  expect(decodeUtf8(bytes)).toEqual({ text: '猫' });
  expect(decodeUtf8(Buffer.from('猫'))).toEqual({ text: '猫' });
  expect(() => decodeUtf8(foreign('new Uint16Array(2)'))).toThrow(/expected bytes/);
});
