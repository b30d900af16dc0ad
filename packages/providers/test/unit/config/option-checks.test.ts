import { expect, it } from 'vitest';
import {
  either,
  FLAG,
  having,
  listOf,
  oneOf,
  optional,
  optionChecks,
  SIGNAL,
  TEXT,
  TEXTS,
} from '@vizprompt/providers/config';

const checks = optionChecks((message, context) => Object.assign(new Error(message), { context }));
const { checkArgument, checkKeys, checkValues } = checks;
const open = (given: unknown): void =>
  checks.checkOptions<{ path: string; force?: boolean }>('open', given as { path: string }, {
    path: TEXT,
    force: optional(FLAG),
  });

it('refuses an option that nobody reads, and names the nearest one', () => {
  const given = { path: 'a', fource: true };
  expect(() => open(given)).toThrow(
    "open has no option 'fource': is 'force' meant? there are path, force",
  );
  expect(() => checkKeys('open', given, ['path'])).toThrow(
    expect.objectContaining({ context: { what: 'open', key: 'fource', nearest: undefined } }),
  );
});

it.each<[unknown, string]>([
  [null, 'null'],
  ['日本', '"日本"'],
  [['a'], 'an array'],
  [Promise.resolve({}), 'a promise: await it'],
  [() => ({}), 'a function'],
])('options are an object, not %s', (given, shown) => {
  expect(() => open(given)).toThrow(`the options of open must be an object, not ${shown}`);
});

it('says what a value must be', () => {
  expect(() => open({ path: 1 })).toThrow("the option 'path' of open must be a text, not 1");
  expect(() => open({})).toThrow("the option 'path' of open must be a text, not undefined");
  expect(() => open({ path: 'a', force: undefined })).not.toThrow();
  expect(() => checkValues('functions', { a: 'x' }, having('a tool', 'call'))).toThrow(
    `'a' of functions must be a tool, not "x"`,
  );
  expect(() => checkValues('functions', undefined, TEXT)).not.toThrow();
});

it.each([
  [TEXTS, ['a', '😀'], ['a', 1], 'an array of texts'],
  [listOf('flags', FLAG), [], [0], 'an array of flags'],
  [oneOf('en', 'ja'), 'ja', 'de', "'en' or 'ja'"],
  [either(TEXT, SIGNAL), new AbortController().signal, 7, 'a text, or an AbortSignal'],
])('kind %#', (kind, good, bad, expected) => {
  expect(() => checkArgument('it', good, kind)).not.toThrow();
  expect(() => checkArgument('it', bad, kind)).toThrow(`it must be ${expected}, not`);
});

it('does not show a long text', () => {
  const secret = 'x'.repeat(41);
  expect(() => checkArgument('it', secret, FLAG)).toThrow('it must be true or false, not a text');
});
