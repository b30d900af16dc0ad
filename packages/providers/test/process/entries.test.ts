import * as root from '@vizprompt/providers';
import {
  CodedError,
  InputError,
  LLMError,
  PeerError,
  StorageError,
  VectorError,
} from '@vizprompt/providers';
import { JsonSyntaxError } from '@vizprompt/providers/config';
import { describe, expect, it } from 'vitest';
import { nextMessage, startChild } from '../support/children.ts';
import { loadedPackages } from '../support/loaded-packages.ts';
import { temporaryFolder } from '../support/subjects.ts';
import { toPeerError } from '../../src/peer.ts';

describe('the root entry', () => {
  it('loads nothing but eventemitter3', () => {
    expect(loadedPackages('@vizprompt/providers', import.meta.dirname)).toEqual(
      new Set(['providers', 'eventemitter3']),
    );
  });

  it('exports only error classes that are marked, with a code and a plain form', () => {
    const classes = Object.entries(root).filter(
      ([, value]) => typeof value === 'function' && value.prototype instanceof Error,
    );
    expect(classes.map(([name]) => name).toSorted()).toEqual([
      'CodedError',
      'InputError',
      'LLMError',
      'PeerError',
      'StorageError',
      'VectorError',
    ]);
    const errors = [
      new LLMError('auth', 'no key', { provider: 'p', modelId: 'm', status: 401 }),
      new StorageError('io', 'disk full', { cause: new Error('ENOSPC'), context: { key: 'a' } }),
      new PeerError('pg', new Error('not found')),
      new VectorError('unavailable', 'away', { context: { store: 'a' } }),
      new InputError('no such option', { context: { option: 'a' } }),
      new JsonSyntaxError('no comma', { line: 1, column: 2 }),
    ];
    for (const error of errors) {
      expect(error).toBeInstanceOf(CodedError);
      expect(JSON.parse(JSON.stringify(error))).toMatchObject({
        name: error.constructor.name,
        code: error.code,
        message: error.message,
      });
      const marks = Object.getOwnPropertySymbols(error).map(String);
      expect(marks).toEqual([`Symbol(vizprompt.error.${error.name})`]);
    }
    expect(errors[0]?.toJSON().context).toEqual({ provider: 'p', modelId: 'm', status: 401 });
    expect(errors[1]?.toJSON().cause).toBe('ENOSPC');
  });

  it('knows errors of another installed copy', () => {
    const foreign = Object.defineProperty(
      new Error('x'),
      Symbol.for('vizprompt.error.StorageError'),
      { value: true },
    );
    expect(StorageError.isInstance(foreign)).toBe(true);
    expect(LLMError.isInstance(foreign)).toBe(false);
    expect(PeerError.isInstance(new PeerError('x', null))).toBe(true);
    for (const value of [null, undefined, 'x', new Error('x')]) {
      expect(StorageError.isInstance(value)).toBe(false);
    }
  });
});

describe('an optional package', () => {
  it('that is missing is named, with the command to install it', async () => {
    const name: string = 'no-such-package';
    const failure = await import(name).catch((error: unknown) => toPeerError(error, name));
    expect(failure).toMatchObject({
      code: 'peer-missing',
      message: expect.stringContaining('npm install no-such-package'),
    });
  });

  it('for SQLite that is missing is named when a storage is opened, not when it is used', async () => {
    const folder = await temporaryFolder();
    const child = startChild('without-sqlite', [folder.path]);
    const failure = {
      isStorageError: true,
      code: 'no-sqlite',
      message: expect.stringMatching(
        /better-sqlite3 is not installed; .*npm install better-sqlite3/,
      ),
    };
    expect(await nextMessage(child)).toEqual({ storage: failure, files: failure });
    await folder.remove();
  });

  it.each([
    ['npm rebuild better-sqlite3', []],
    ['npx @electron/rebuild', ['40.0.0']],
  ])('for SQLite that is built for another runtime is named with `%s`', async (fix, electron) => {
    const folder = await temporaryFolder();
    const child = startChild('unbuilt-sqlite', [folder.path, ...electron]);
    expect(await nextMessage(child)).toEqual({
      code: 'no-sqlite',
      message: expect.stringMatching(
        new RegExp(`not built for this runtime: compiled against .* Fix: ${fix}$`),
      ),
    });
    await folder.remove();
  });

  it('of a vector store that is missing is named with the first call', async () => {
    const failures = await nextMessage(startChild('without-peers', []));
    expect(failures).toEqual(
      ['sqlite-vec', '@qdrant/js-client-rest'].map((name) => ({
        isPeerError: true,
        message: expect.stringContaining(`npm install ${name}`),
      })),
    );
  });

  it('that is broken itself is not taken for missing', async () => {
    const broken = new SyntaxError('broken inside');
    expect(toPeerError(broken, 'x')).toBe(broken);
  });
});
