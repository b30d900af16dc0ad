import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { EXIT_BY_ERROR, EXIT_CODES } from '../../src/index.ts';
import { headlineJa } from '../../src/frame/messages/error-codes-ja.ts';
import { exitCodeOf } from '../../src/frame/report-error.ts';
import { MemoryError } from '@vizprompt/memory';
import { StorageError } from '@vizprompt/providers';

describe('the exit codes', () => {
  it('belong to the codes of errors, whichever package they come from', () => {
    expect(exitCodeOf(new MemoryError('session-not-found', ''))).toBe(EXIT_CODES.notFound);
    expect(exitCodeOf(new StorageError('lock-timeout', ''))).toBe(EXIT_CODES.conflict);
    expect(exitCodeOf(Object.assign(new Error(''), { code: 'EADDRINUSE' }))).toBe(4);
    expect(exitCodeOf(new TypeError('a mistake of ours'))).toBe(EXIT_CODES.failure);
    expect(exitCodeOf(undefined)).toBe(EXIT_CODES.failure);
  });

  it('are told in the README, each with its number', async () => {
    const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
    for (const [name, number] of Object.entries(EXIT_CODES)) {
      expect([name, readme.includes(`| ${number} `)]).toEqual([name, true]);
    }
  });

  it('have a headline in Japanese for every code', () => {
    const codes = Object.keys(EXIT_BY_ERROR) as (keyof typeof EXIT_BY_ERROR)[];
    for (const code of codes) expect(headlineJa(code)).toMatch(/[ぁ-んァ-ヶ一-龠]/u);
  });
});
