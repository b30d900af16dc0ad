import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { isError, isOutOfFiles, messageOf } from '../../src/errors.ts';
import { hasCode, isMissing } from '../../src/storage/file-error.ts';

/** An error as a program in a context of its own, such as a test of Jest, gets it from `node:fs`. */
const foreign = (code: string): unknown =>
  runInNewContext(`Object.assign(new TypeError('no such file'), { code: '${code}' })`);

it('knows errors of another realm', () => {
  expect(foreign('ENOENT')).not.toBeInstanceOf(Error);
  expect(isError(foreign('ENOENT'))).toBe(true);
  expect(hasCode(foreign('EEXIST'), 'EEXIST')).toBe(true);
  expect(isMissing(foreign('ENOENT'))).toBe(true);
  expect(isOutOfFiles(foreign('EMFILE'))).toBe(true);
  expect(messageOf(foreign('ENOENT'))).toBe('no such file');
});

it.each([undefined, null, 'Error', { message: 'x', code: 'ENOENT' }])('%j is no error', (value) => {
  expect(isError(value)).toBe(false);
});
