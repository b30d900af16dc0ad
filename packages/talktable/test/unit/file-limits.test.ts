import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadTalkConfig } from '@vizprompt/talktable/config';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/support.ts';

const KEYS = Array.from({ length: 500 }, (_, at) => `k${at}`);
const deep = (open: string, close: string): string => open.repeat(2000) + close.repeat(2000);

/** Files that take much, by their text or their size (which takes no room on the disk), and what is said of them. */
const FILES: readonly (readonly [name: string, content: () => string | number, said: RegExp])[] = [
  ['a large topic', () => 4 * 1024 ** 2 + 1, /at most 4194304 bytes/],
  ['deep lists', () => `topic: ${deep('[', ']')}`, /nested deeper than 100/],
  ['deep maps of JSON', () => `{"topic":${deep('{"a":', '}')}}`, /nested deeper than 100/],
  ['deep lists of one line', () => `topic:\n  ${'- '.repeat(2000)}x`, /nested deeper than 100/],
  ['hundreds of keys', () => KEYS.map((key) => `${key}: 1`).join('\n'), /k0/],
  [
    'hundreds of participants',
    () => `participants:\n${KEYS.map((key) => `  - name: ${key}`).join('\n')}`,
    /participants/,
  ],
  ['aliases', () => `a: &a x\nb: [${'*a, '.repeat(5000)}]`, /more than 1000 aliases/],
  ['a long line', () => `topic: [${'y '.repeat(20_000)}`, /./],
];

describe('a talk file that takes much', () => {
  it.each(FILES)('of %s is reported with a code', async (_, content, said) => {
    const file = join(await temporaryFolder(), 'talk.yaml');
    const given = content();
    await writeFile(file, typeof given === 'string' ? given : '');
    if (typeof given === 'number') await truncate(file, given);
    await expect(loadTalkConfig(file)).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(said),
    });
  });

  it('is read up to the limit of the caller', async () => {
    const file = join(await temporaryFolder(), 'talk.yaml');
    await writeFile(
      file,
      `topic: ${'x'.repeat(100)}\nparticipants: [{ name: a, person: true }, { name: b, person: true }]\n`,
    );
    await expect(loadTalkConfig(file, { maxFileBytes: 50 })).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('at most 50 bytes'),
    });
    expect((await loadTalkConfig(file, { maxFileBytes: 500 })).topic).toHaveLength(100);
  });
});
