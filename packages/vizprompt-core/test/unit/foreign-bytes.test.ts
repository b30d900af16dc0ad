import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readProjectTrust, VizPrompt } from '@vizprompt/core';
import { storedFile } from '@vizprompt/providers';
import { describe, expect, it } from 'vitest';
import { decodeFile } from '../../src/format/foreign-bytes.ts';
import { testProject, type TestProject } from '../support/open-project.ts';

describe('bytes that are no UTF-8', () => {
  it('are Shift_JIS with kana', () => {
    const stored = storedFile('a', Buffer.from('8abf8e9a82c689bc96bc', 'hex'), 'v');
    expect(decodeFile(stored)).toMatchObject({ text: '漢字と仮名' });
  });

  it.each([
    ['don’t in Windows-1252', '646f6e9274'],
    ['l’École in Windows-1252', '6c92c9636f6c65'],
    ['d’être in Windows-1252', '6492ea747265'],
    ['‘abc in Windows-1252', '91616263'],
    ['a line of dashes in Windows-1252', '97979797'],
    ['résumé in Latin-1', '72e973756de9'],
    ['a cut character of UTF-8', 'e8a8ade5ae9ae6'],
    ['Привет in Windows-1251', 'cff0e8e2e5f2'],
    ['小说 in GBK', 'd0a1cbb5'],
    ['設定 in Big5', 'b35da977'],
    ['設定 in EUC-JP', 'c0dfc4ea'],
  ])('are not Shift_JIS: %s', (_, bytes) => {
    const stored = storedFile('a', Buffer.from(bytes, 'hex'), 'v');
    expect(faultOf(() => decodeFile(stored).slip)).not.toContain('Shift_JIS');
  });
});

/** Returns the fault of bytes, also where they are no text. */
function faultOf(decode: () => string | undefined): string {
  try {
    return decode() ?? '';
  } catch (error) {
    return String(error);
  }
}

type Damage = (text: string) => string | Buffer;

const utf16: Damage = (text) => Buffer.from(`\ufeff${text}`, 'utf16le');
const latin1: Damage = (text) => Buffer.from(`# é\n${text}`, 'latin1');
// 「# 設定です」 in Shift_JIS.
const shiftJis: Damage = (text) =>
  Buffer.concat([Buffer.from('232090dd92e882c582b70a', 'hex'), Buffer.from(text)]);

/** Returns a project whose settings were written by another program. */
async function projectWith(damage: Damage): Promise<TestProject> {
  const project = await testProject();
  await project.close();
  const path = join(project.folder, 'config.yaml');
  await writeFile(path, damage(await readFile(path, 'utf8')));
  return project;
}

describe('settings in another encoding', () => {
  it('are opened in Shift_JIS, and stored in UTF-8', async () => {
    const project = await projectWith(shiftJis);
    const again = await project.reopen();
    const report = await again.check();
    const [finding] = report.findings.filter(({ file }) => file === 'config.yaml');
    expect(finding?.message).toContain('Shift_JIS');
    await again.repair(report);
    expect(await project.read('config.yaml')).toMatch(/^# 設定です\n/);
  });

  it.each([
    ['UTF-16', utf16],
    ['Shift_JIS', shiftJis],
    ['Latin-1', latin1],
    [
      'a conflict of git',
      (text: string) => `<<<<<<< ours\n${text}=======\n${text}>>>>>>> theirs\n`,
    ],
  ])('ask for consent: %s', async (_, damage) => {
    const { folder } = await projectWith((text) =>
      damage(text.replace('OPENAI_API_KEY', 'OPENAI_API_KEY\n    host: https://example.com')),
    );
    expect(await readProjectTrust(folder)).toMatchObject({ address: 'https://example.com' });
  });

  it('are no text for those who give consent either', async () => {
    const { folder } = await projectWith(() => Buffer.from('89fffec080f5ff', 'hex'));
    await expect(readProjectTrust(folder)).rejects.toMatchObject({ code: 'config-invalid' });
  });

  it.each([
    ['UTF-16', utf16],
    ['Shift_JIS', shiftJis],
  ])('are set up for sharing: %s', async (_, damage) => {
    const { folder, read } = await projectWith(damage);
    expect(await VizPrompt.init(folder)).toEqual({ written: [] });
    await VizPrompt.init(folder, { git: true });
    expect(await read('config.yaml')).toMatch(/\n {2}sharing: git\n/);
  });

  it('are not set up for sharing where bytes of them would be lost', async () => {
    const { folder } = await projectWith(latin1);
    const before = await readFile(join(folder, 'config.yaml'));
    await expect(VizPrompt.init(folder, { git: true })).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('repair the project first'),
    });
    expect(await readFile(join(folder, 'config.yaml'))).toEqual(before);
  });
});
