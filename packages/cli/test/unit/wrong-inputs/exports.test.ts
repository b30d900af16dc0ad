import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { CodedError, messageOf } from '@vizprompt/providers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

/** Values that plain JavaScript passes by mistake. */
const WRONG: readonly (readonly [shown: string, value: unknown])[] = [
  ['undefined', undefined],
  ['null', null],
  ['0', 0],
  ["''", ''],
  ['{}', {}],
  ['[]', []],
  ['a Date', new Date(0)],
];

/** Exports that are not called, or may throw any error, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  '@vizprompt/core ChatTurn': 'made by chat(); its constructor is not for users',
  '@vizprompt/workflow WorkflowRun': 'made by start(); its constructor is not for users',
  '@vizprompt/core formatPlace': 'writes the places of errors: the checks import it',
  '@vizprompt/core/assistant-ui/client vizPromptThreads': 'for browsers: it imports nothing',
  '@vizprompt/providers/config nearestName': 'the checks are made of it',
  '@vizprompt/memory/hooks runHook': 'a program: reads the standard input and ends the process',
  '@vizprompt/memory/hooks handleHook': 'a program: writes what fails to its log, and never throws',
};

const FOLDERS = ['providers', 'vizprompt-core', 'rag', 'memory', 'workflow', 'talktable'];

/** The entries that `package.json` publishes, but for those that are not promised. */
const ENTRIES = FOLDERS.flatMap((folder) => {
  const file = new URL(`../../../../${folder}/package.json`, import.meta.url);
  const { name, exports }: { name: string; exports: object } = JSON.parse(
    readFileSync(file, 'utf8'),
  );
  return Object.entries(exports)
    .filter(([entry, target]) => typeof target === 'object' && !/internal/.test(entry))
    .map(([entry]) => name + entry.slice(1));
});

function isClass(value: Function): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value));
}

/** The calls of one export with one wrong value: alone, and for each of its arguments. */
function callsOf(value: Function, wrong: unknown): readonly (() => unknown)[] {
  if (!isClass(value)) {
    return [
      () => Reflect.apply(value, undefined, [wrong]),
      () => Reflect.apply(value, undefined, [wrong, wrong, wrong]),
    ];
  }
  const methods = Object.getOwnPropertyNames(value)
    .map((name): unknown => Reflect.get(value, name))
    .filter((member) => typeof member === 'function');
  return [
    () => Reflect.construct(value, [wrong]),
    ...methods.map((method) => () => Reflect.apply(method, value, [wrong])),
  ];
}

/** A home of its own: some calls open the memory and write to the cache of the user. */
const home = mkdtempSync(join(tmpdir(), 'wrong-inputs-'));
beforeAll(() => {
  for (const name of ['HOME', 'USERPROFILE', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME']) {
    vi.stubEnv(name, home);
  }
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true, maxRetries: 3 });
});

async function dispose(result: unknown): Promise<void> {
  if (typeof result !== 'object' || result === null || !(Symbol.asyncDispose in result)) return;
  const end = result[Symbol.asyncDispose];
  if (typeof end === 'function') await Reflect.apply(end, result, []);
}

/** Returns the error of a call, or of the first value of what it returns. */
async function failureOf(call: () => unknown): Promise<unknown> {
  try {
    const result = call();
    const isStream =
      typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has the method
    if (isStream) await (result as AsyncIterable<unknown>)[Symbol.asyncIterator]().next();
    // An object built from wrong arguments may have nothing to close.
    await dispose(await result).catch(() => undefined);
    return undefined;
  } catch (error) {
    return error ?? new Error('threw nothing');
  }
}

describe('every exported function answers wrong arguments or refuses them with a code', () => {
  it('is called in a home of its own', () => expect(homedir()).toBe(home));

  it('knows the entries and the exceptions', async () => {
    expect(ENTRIES.length).toBeGreaterThan(30);
    for (const name of Object.keys(EXCEPTIONS)) {
      const [entry = '', member = ''] = name.split(' ');
      // oxlint-disable-next-line no-await-in-loop -- entries are imported once
      const module: object = await import(entry);
      expect(module).toHaveProperty(member);
    }
  });

  it.each(ENTRIES)('%s', async (entry) => {
    const module: object = await import(entry);
    const bare: string[] = [];
    for (const [name, value] of Object.entries(module)) {
      if (typeof value !== 'function' || Object.hasOwn(EXCEPTIONS, `${entry} ${name}`)) continue;
      if (value.prototype instanceof Error) continue;
      for (const [shown, wrong] of WRONG) {
        for (const [at, call] of callsOf(value, wrong).entries()) {
          // oxlint-disable-next-line no-await-in-loop -- calls share a working directory
          const error = await failureOf(call);
          if (error === undefined || error instanceof CodedError) continue;
          bare.push(`${name}(${shown}), call ${at}: ${messageOf(error)}`);
        }
      }
    }
    expect(bare).toEqual([]);
  });
});
