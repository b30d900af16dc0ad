import { expect, it } from 'vitest';
import {
  COUNT,
  either,
  FLAG,
  having,
  type Kinds,
  listOf,
  objectOf,
  oneOf,
  optional,
  optionChecks,
  SIGNAL,
  TEXT,
  TEXTS,
} from '../../../src/input/kinds.ts';

const checks = optionChecks((message, context) => Object.assign(new Error(message), { context }));
const { checkArgument, checkKeys, checkValues } = checks;
const open = (given: unknown): object =>
  checks.checkOptions<{ path: string; force?: boolean | undefined }>(
    'open',
    given as { path: string },
    {
      path: TEXT,
      force: optional(FLAG),
    },
  );

it('shows what is written for a string instead of an object', () => {
  expect(() => open('日本')).toThrow(
    'the options of open: expected an object such as { path: \'…\' }, got "日本"',
  );
  const node = objectOf<{ text: string; tags: readonly string[] }>({ text: TEXT, tags: TEXTS });
  expect(() => checkArgument('the node', '猫', node)).toThrow(
    'the node: expected an object such as { text: \'…\' }, got "猫"',
  );
});

it.each([
  ['topK', ['query', 'limit']],
  ['k', ['query', 'limit']],
  ['maxResults', ['query', 'limit']],
  ['max_tokens', ['limit', 'budgetTokens']],
  ['systemPrompt', ['limit', 'instructions']],
  ['abortSignal', ['limit', 'signal']],
  ['userId', ['limit', 'speaker']],
])('knows what %s is called here', (given, known) => {
  expect(() => checkKeys('search', { [given]: 1 }, known)).toThrow(`is '${known.at(-1)}' meant?`);
});

it('says how an object is made whose constructor is not for callers', () => {
  const opened = { files: [] };
  expect(() => checks.assertOpened(opened, 'files', 'Store.open(path)')).not.toThrow();
  for (const given of [undefined, null, 'a', {}, { path: 'a' }]) {
    expect(() => checks.assertOpened(given, 'files', 'Store.open(path)')).toThrow(
      "Store has no public constructor: call 'await Store.open(path)'",
    );
  }
});

it('refuses an unknown option, and names the nearest one', () => {
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
  [['a'], 'an array'],
  [Promise.resolve({}), 'a promise: await it'],
  [() => ({}), 'a function'],
])('options are an object, not %s', (given, shown) => {
  expect(() => open(given)).toThrow(`the options of open: expected an object, got ${shown}`);
});

it('says what a value must be', () => {
  expect(() => open({ path: 1 })).toThrow("the option 'path' of open: expected a string, got 1");
  expect(() => open({})).toThrow("the option 'path' of open: expected a string, got undefined");
  expect(() => open({ path: 'a', force: undefined })).not.toThrow();
  expect(() => checkValues('functions', { a: 'x' }, having('a tool', 'call'))).toThrow(
    `'a' of functions: expected a tool, got "x"`,
  );
  expect(() => checkValues('functions', undefined, TEXT)).not.toThrow();
});

it.each([
  [TEXTS, ['a', '😀'], ['a', 1], 'an array of strings'],
  [listOf('flags', FLAG), [], [0], 'an array of flags'],
  [oneOf('en', 'ja'), 'ja', 'de', "'en' or 'ja'"],
  [either(TEXT, SIGNAL), new AbortController().signal, 7, 'a string, or an AbortSignal'],
])('kind %#', (kind, good, bad, expected) => {
  expect(() => checkArgument('it', good, kind)).not.toThrow();
  expect(() => checkArgument('it', bad, kind)).toThrow(`it: expected ${expected}, got`);
});

it('does not show a long text', () => {
  const secret = 'x'.repeat(41);
  expect(() => checkArgument('it', secret, FLAG)).toThrow(
    'it: expected true or false, got a string',
  );
});

it('takes undefined for absent, so that a default is not overwritten', () => {
  expect({ force: true, ...open({ path: 'a', force: undefined }) }).toEqual({
    path: 'a',
    force: true,
  });
  const given = { path: 'a' };
  expect(open(given)).toBe(given);
  expect(() => open({ path: undefined })).toThrow(
    "'path' of open: expected a string, got undefined",
  );
});

it.each<[unknown, string]>([
  [{ limits: { maxNode: 1 } }, "'limits' of run has no option 'maxNode': is 'maxNodes' meant?"],
  [{ limits: { maxNodes: 'x' } }, "the option 'limits.maxNodes' of run: expected a whole number"],
  [{ limits: [] }, "the option 'limits' of run: expected an object, got an array"],
  [{ steps: [{ id: 'a' }, { id: 2 }] }, "the option 'steps.1.id' of run: expected a string, got 2"],
  [{ steps: [{ id: 'a', idd: 1 }] }, "'steps.0' of run has no option 'idd': is 'id' meant?"],
  [{ version: 5 }, "the option 'version' of run: expected a string, or an object, got 5"],
  [{ version: {} }, "the option 'version.version' of run: expected a string, got undefined"],
])('names the place of what is wrong within %j', (given, message) => {
  interface Run {
    readonly limits?: { readonly maxNodes?: number | undefined } | undefined;
    readonly steps?: readonly { readonly id: string }[] | undefined;
    readonly version?: string | { readonly version: string } | undefined;
  }
  const kinds: Kinds<Run> = {
    limits: optional(objectOf({ maxNodes: optional(COUNT) })),
    steps: optional(listOf('steps', objectOf<{ readonly id: string }>({ id: TEXT }))),
    version: optional(either(TEXT, objectOf<{ readonly version: string }>({ version: TEXT }))),
  };
  expect(() => checks.checkOptions<Run>('run', given as Run, kinds)).toThrow(message);
});

it('does not compile where a description and its type differ', () => {
  interface Wanted {
    readonly name: string;
    readonly count?: number | undefined;
  }
  const good: Kinds<Wanted> = { name: TEXT, count: optional(COUNT) };
  // @ts-expect-error -- a member is missing
  const missing: Kinds<Wanted> = { name: TEXT };
  // @ts-expect-error -- the type says a number
  const other: Kinds<Wanted> = { name: TEXT, count: optional(TEXT) };
  // @ts-expect-error -- the type says that it may be absent
  const needed: Kinds<Wanted> = { name: TEXT, count: COUNT };
  // @ts-expect-error -- the type does not take undefined
  const strict: Kinds<{ readonly name?: string }> = { name: optional(TEXT) };
  expect([good, missing, other, needed, strict]).toHaveLength(5);
});
