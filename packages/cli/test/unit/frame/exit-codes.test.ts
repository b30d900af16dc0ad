import { readFile } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { EXIT_BY_ERROR, EXIT_CODES } from '../../../src/index.ts';
import { Cli } from '../../../src/frame/cli.ts';
import { frameEn } from '../../../src/frame/messages/en.ts';
import { headlineJa } from '../../../src/frame/messages/ja.ts';
import { exitCodeOf, reportError } from '../../../src/frame/report-error.ts';
import { vizprompt } from '../../../src/vizprompt/tool.ts';
import { noIo } from '../../support/no-io.ts';
import { MemoryError } from '@vizprompt/memory';
import { LLMError, PeerError, StorageError } from '@vizprompt/providers';
import { WorkflowError } from '@vizprompt/workflow';

describe('the exit codes', () => {
  it('belong to the codes of errors, whichever package they come from', () => {
    expect(exitCodeOf(new MemoryError('session-not-found', ''))).toBe(EXIT_CODES.notFound);
    expect(exitCodeOf(new StorageError('lock-timeout', ''))).toBe(EXIT_CODES.conflict);
    expect(exitCodeOf(Object.assign(new Error(''), { code: 'EADDRINUSE' }))).toBe(4);
    expect(exitCodeOf(new TypeError('a mistake of ours'))).toBe(EXIT_CODES.failure);
    expect(exitCodeOf(undefined)).toBe(EXIT_CODES.failure);
  });

  it('are those of the reason, where a code only says what failed', () => {
    const failed = (cause: unknown, context = {}): WorkflowError =>
      new WorkflowError('step-failed', '', { cause, context });
    const away = new LLMError('network', '', { provider: 'ollama', isRetryable: true });
    const code = (error: unknown): number => exitCodeOf(error);
    expect(code(failed(new PeerError('ollama', undefined)))).toBe(EXIT_CODES.unavailable);
    expect(code(failed(failed(away)))).toBe(EXIT_CODES.unavailable);
    expect(code(failed(new Error('', { cause: away })))).toBe(EXIT_CODES.unavailable);
    expect(code(failed(new StorageError('corrupt', '')))).toBe(EXIT_CODES.damaged);
    // From the journal or a worker there is only the code.
    expect(code(failed('it is missing', { causeCode: 'peer-missing' }))).toBe(6);
    expect(code(failed(undefined, { causeCode: 'constructor' }))).toBe(EXIT_CODES.failure);
  });

  it('are not those of causes that speak of something else than the command', () => {
    const failed = (cause: unknown): WorkflowError =>
      new WorkflowError('step-failed', '', { cause });
    const away = new LLMError('network', '', { provider: 'ollama', isRetryable: true });
    const absent = Object.assign(new Error(''), { code: 'ENOENT' });
    expect(exitCodeOf(failed(absent))).toBe(EXIT_CODES.failure);
    expect(exitCodeOf(failed(new WorkflowError('invalid-input', '', { cause: away })))).toBe(1);
    expect(exitCodeOf(failed(new WorkflowError('condition-failed', '')))).toBe(1);
    expect(exitCodeOf(new WorkflowError('not-found', '', { cause: away }))).toBe(3);
    expect(exitCodeOf(new WorkflowError('limit', '', { cause: away }))).toBe(1);
    const circle = new WorkflowError('step-failed', '');
    Object.assign(circle, { cause: circle });
    expect(exitCodeOf(circle)).toBe(EXIT_CODES.failure);
  });

  it('are listed in the README, each with its number', async () => {
    const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8');
    for (const [name, number] of Object.entries(EXIT_CODES)) {
      expect([name, readme.includes(`| ${number} `)]).toEqual([name, true]);
    }
  });

  it('have a headline in Japanese for every code', () => {
    const codes = Object.keys(EXIT_BY_ERROR) as (keyof typeof EXIT_BY_ERROR)[];
    for (const code of codes) expect(headlineJa(code)).toMatch(/[ぁ-んァ-ヶ一-龠]/u);
  });
});

it('an error after which closing failed as well is reported, not that it was wrapped', async () => {
  const written: string[] = [];
  const stderr = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written.push(chunk.toString());
      done();
    },
  });
  const io = { ...noIo(), stderr };
  const { en } = vizprompt.messages;
  const cli = new Cli(en, { toolName: 'vizprompt', language: 'en', frame: frameEn, io });
  cli.globals = { json: true };
  const wrapped = (error: unknown, suppressed: unknown): Error =>
    Object.assign(new Error('An error was suppressed'), {
      name: 'SuppressedError',
      error,
      suppressed,
    });
  const full = new StorageError('io', 'cannot write: ENOSPC: no space left on device');
  const closing = new StorageError('lock-timeout', 'cannot close');
  const failed = wrapped(closing, wrapped(closing, full));
  expect(await reportError(cli, failed)).toBe(exitCodeOf(full));
  expect(JSON.parse(written.join(''))).toMatchObject({
    error: { code: 'io', message: full.message },
  });
});
