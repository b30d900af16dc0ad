import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type RagErrorCode } from '../../../src/index.ts';
import { MAX_FILE_BYTES } from '../../../src/files/file-area.ts';
import { startChild } from '../../support/children.ts';
import { temporaryFolder } from '../../support/search-index.ts';
import { FileOperationsService } from '../../../src/files/file-operations-service.ts';

interface Place {
  readonly files: FileOperationsService;
  /** The folder of the project 灯台. */
  readonly project: string;
  /** A folder next to the root, which must not be reached. */
  readonly outside: string;
}

async function openPlace(): Promise<Place> {
  const folder = temporaryFolder();
  const [root, outside] = [join(folder, 'novels'), join(folder, 'outside')];
  const project = join(root, '灯台');
  await mkdir(join(project, 'settings'), { recursive: true });
  await mkdir(outside);
  await writeFile(join(outside, 'secret.md'), 'secret');
  return { files: await FileOperationsService.open({ root }), project, outside };
}

function failsWith(code: RagErrorCode): object {
  return expect.objectContaining({ name: 'RagError', code });
}

describe('files of a project', () => {
  it('are written into new folders, and read again as they were', async () => {
    const { files, project } = await openPlace();
    const text = '\u0000第一章\r\n😀 \u202eمرحبا\r行';
    const written = await files.writeFile('灯台/contents/第一部/👨‍👩‍👧.md', text);
    expect(written).toEqual({
      path: '灯台/contents/第一部/👨‍👩‍👧.md',
      bytes: Buffer.byteLength(text),
      created: true,
    });
    expect(await files.readFile(written.path)).toBe(text);
    expect(readdirSync(join(project, 'contents/第一部'))).toEqual(['👨‍👩‍👧.md']);
  });

  it('are not replaced without the flag, not even by another spelling of the name', async () => {
    const { files, project } = await openPlace();
    const [composed, decomposed] = [
      '灯台/settings/ガス.md',
      '灯台/settings/ガス.md'.normalize('NFD'),
    ];
    await files.writeFile(decomposed, 'one');
    expect(readdirSync(join(project, 'settings'))).toEqual(['ガス.md'.normalize('NFC')]);
    await expect(files.writeFile(composed, 'two')).rejects.toEqual(failsWith('file-exists'));
    await expect(files.writeFile(decomposed, 'two')).rejects.toEqual(failsWith('file-exists'));
    expect(await files.readFile(decomposed)).toBe('one');
    const { created } = await files.writeFile(decomposed, 'two', { overwrite: true });
    expect(created).toBe(false);
    expect(await files.readFile(composed)).toBe('two');
  });

  it('that the system wrote in decomposed letters are the same files', async () => {
    const { files, project } = await openPlace();
    const onDisk = 'ガス.md'.normalize('NFD');
    await writeFile(join(project, 'settings', onDisk), 'one');
    const path = '灯台/settings/ガス.md'.normalize('NFC');
    await files.writeFile(path, 'two', { overwrite: true });
    expect(readdirSync(join(project, 'settings'))).toEqual([onDisk]);
    expect(await files.readFile(path)).toBe('two');
  });

  it('whose names differ in case alone are refused, for disks where they are one', async () => {
    const { files } = await openPlace();
    await files.writeFile('灯台/settings/Aoi.md', 'one');
    await expect(files.writeFile('灯台/settings/aoi.md', 'two')).rejects.toThrow(
      /there is no 灯台\/settings\/aoi\.md, but 灯台\/settings\/Aoi\.md/,
    );
  });

  it('are written by one of many who try at the same time', async () => {
    const { files, project } = await openPlace();
    const tries = Array.from({ length: 20 }, (_, index) =>
      files.writeFile('灯台/settings/a.md', `writer ${index}`.repeat(1000)),
    );
    const settled = await Promise.allSettled(tries);
    const winners = settled.flatMap(({ status }, index) => (status === 'fulfilled' ? index : []));
    expect(winners).toHaveLength(1);
    expect(await files.readFile('灯台/settings/a.md')).toBe(`writer ${winners[0]}`.repeat(1000));
    expect(readdirSync(join(project, 'settings'))).toEqual(['a.md']);
  });

  it('are made by one of many who overwrite at the same time, in this process and others', async () => {
    const { files, project } = await openPlace();
    const tries = Array.from({ length: 12 }, (_, index) =>
      files.writeFile('灯台/settings/new/a.md', `writer ${index}`, { overwrite: true }),
    );
    const written = await Promise.all(tries);
    expect(written.filter(({ created }) => created)).toHaveLength(1);
    const children = Array.from({ length: 3 }, () =>
      startChild('create-project-files', [files.root, '40']),
    );
    const made = await Promise.all(
      children.map(async (child) => (await once(child, 'message'))[0]),
    );
    const names = made.flat() as readonly string[];
    expect(names.toSorted()).toEqual(Array.from({ length: 40 }, (_, at) => `${at + 10}.md`));
    expect(readdirSync(join(project, 'settings')).toSorted()).toEqual([...names, 'new'].toSorted());
    expect(readdirSync(join(project, 'settings/new'))).toEqual(['a.md']);
  });

  it.each([
    ['Kap.md', 'kap.md'],
    ['Größe.md', 'GRÖSSE.md'],
    ['ΣΑΣ.md', 'σασ.md'],
    ['Ｋａｐ.md', 'ｋａｐ.md'],
    ['Part/a.md', 'part/b.md'],
  ])(
    '%s and %s written at once: one is refused, as on disks where they are one',
    async (...names) => {
      const { files, project } = await openPlace();
      for (let round = 0; round < 10; round++) {
        const settled = await Promise.allSettled(
          names.map((name) => files.writeFile(`灯台/settings/${round}/${name}`, name)),
        );
        const made = settled.filter(({ status }) => status === 'fulfilled');
        expect(made).toHaveLength(1);
        const [refused] = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
        expect(refused).toEqual(failsWith('path-invalid'));
        expect(readdirSync(join(project, 'settings', String(round)))).toHaveLength(1);
      }
    },
  );

  it('of one name in two normal forms, written at once, are one file', async () => {
    const { files, project } = await openPlace();
    const names = ['ガス.md'.normalize('NFC'), 'ガス.md'.normalize('NFD')];
    const settled = await Promise.allSettled(
      names.map((name) => files.writeFile(`灯台/settings/${name}`, name)),
    );
    expect(settled.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(readdirSync(join(project, 'settings'))).toEqual(['ガス.md'.normalize('NFC')]);
  });

  it('with letters that people distinguish are different files', async () => {
    const { files, project } = await openPlace();
    for (const name of ['kapı.md', 'kapi.md', 'か.md', 'カ.md', 'が.md', 'ﾊ.md', 'ハ.md']) {
      await files.writeFile(`灯台/settings/${name}`, name);
    }
    expect(readdirSync(join(project, 'settings'))).toHaveLength(7);
  });

  it('are not held up by a writer that died', async () => {
    const { files, project } = await openPlace();
    const child = startChild('create-project-files', [files.root, '1']);
    await once(child, 'exit');
    const hash = createHash('sha256').update('a.md').digest('hex').slice(0, 16);
    const claim = join(project, 'settings', `.dialogoi-${hash}.claim`);
    await writeFile(claim, JSON.stringify({ token: 'x', host: hostname(), pid: child.pid }));
    const before = performance.now();
    await files.writeFile('灯台/settings/a.md', 'x');
    expect(performance.now() - before).toBeLessThan(5000);
    expect(existsSync(claim)).toBe(false);
  });

  it.each([
    '葛󠄀.md',
    '❤️.md',
    '👩🏽‍🚀.md',
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿.md',
    'می‌خواهم.md',
    'क्‍ष.md',
    '1️⃣.md',
    'e\u0301.md',
    '全角　空白.md',
  ])('may be called %s: what belongs to a character that is seen is not hidden', async (name) => {
    const { files } = await openPlace();
    const { path } = await files.writeFile(`灯台/settings/${name}`, 'x');
    expect(path).toBe(`灯台/settings/${name.normalize('NFC')}`);
  });

  it('have at most 10 MB, and whole characters', async () => {
    const { files, project } = await openPlace();
    const largest = 'a'.repeat(MAX_FILE_BYTES);
    await files.writeFile('灯台/settings/large.txt', largest);
    expect(await files.readFile('灯台/settings/large.txt')).toHaveLength(MAX_FILE_BYTES);
    const refused = [`${largest}a`, 'あ'.repeat(MAX_FILE_BYTES / 3 + 1), 'a\ud800'];
    for (const text of refused) {
      await expect(files.writeFile('灯台/settings/x.txt', text)).rejects.toEqual(
        failsWith('file-invalid'),
      );
    }
    await writeFile(join(project, 'settings/larger.txt'), `${largest}a`);
    await writeFile(join(project, 'settings/sjis.txt'), Buffer.from([0x93, 0x94, 0x91, 0xe4]));
    for (const name of ['larger', 'sjis']) {
      await expect(files.readFile(`灯台/settings/${name}.txt`)).rejects.toEqual(
        failsWith('file-invalid'),
      );
    }
  });

  it('keep their rights when they are replaced', async () => {
    const { files, project } = await openPlace();
    const path = join(project, 'settings/a.md');
    await writeFile(path, 'one');
    await chmod(path, 0o640);
    await files.writeFile('灯台/settings/a.md', 'two', { overwrite: true });
    expect((await stat(path)).mode & 0o777).toBe(0o640);
  });

  it('are listed as people count, without what is hidden, a link or of another kind', async () => {
    const { files, project, outside } = await openPlace();
    for (const name of ['第10章.md', '第2章.txt', '部/一.MD', '.hidden.md', 'x.png', '.git/a.md']) {
      await mkdir(join(project, 'contents', name, '..'), { recursive: true });
      await writeFile(join(project, 'contents', name), 'a');
    }
    await symlink(outside, join(project, 'contents/out'));
    await symlink(join(project, 'contents/x.png'), join(project, 'contents/link.md'));
    const listed = await files.listFiles('灯台/contents/');
    expect(listed.map(({ path }) => path)).toEqual([
      '灯台/contents/第2章.txt',
      '灯台/contents/第10章.md',
      '灯台/contents/部/一.MD',
    ]);
    expect(await files.listFiles('灯台/contents', ['.txt'])).toHaveLength(1);
    expect(await files.listFiles('灯台/settings/none')).toEqual([]);
  });
});

describe('paths that lead elsewhere', () => {
  const BAD: readonly string[] = [
    '灯台/settings/../../../outside/secret.md',
    '灯台/../../outside/secret.md',
    '../outside/secret.md',
    '/etc/passwd.md',
    '灯台/settings//a.md',
    '灯台/settings/./a.md',
    '灯台\\settings\\a.md',
    '灯台/settings/..\\a.md',
    'C:/settings/a.md',
    '灯台/settings/a:b.md',
    '灯台/settings/a.md:stream.txt',
    '灯台/settings/a.md ',
    '灯台/settings/a.md.',
    '灯台/settings/ a.md',
    '灯台/settings/CON.md',
    '灯台/settings/nul.txt',
    '灯台/settings/COM¹.md',
    '灯台/settings/CONIN$.md',
    '灯台/settings/aux/a.md',
    '灯台/settings/a\u0000.md',
    '灯台/settings/a\n.md',
    '灯台/settings/\u202egpj.md',
    '灯台/settings/\ud800.md',
    '灯台/settings/a\u200b.md',
    '灯台/settings/a\u200d.md',
    '灯台/settings/人\u200c物.md',
    '灯台/settings/a\u00ad.md',
    '灯台/settings/a\u2060.md',
    '灯台/settings/\u3164.md',
    '灯台/settings/a\ufe0f.md',
    '灯台/settings/1\ufe0f.md',
    '灯台/settings/a\u{e0100}.md',
    '灯台/settings/\u2800.md',
    '灯台/settings/a\u{e0041}.md',
    '灯\u200b台/settings/a.md',
    '灯台/settings/.hidden.md',
    '灯台/settings/.git/a.md',
    '灯台/settings/.md',
    '灯台/settings/a.exe',
    '灯台/settings/a',
    '灯台/settings/a.md/',
    '灯台/settings',
    '灯台/a.md',
    '灯台/settings2/a.md',
    '灯台/SETTINGS/a.md',
    '灯台',
    '',
    `灯台/settings/${'あ'.repeat(100)}.md`,
  ];

  it.each(BAD)('are refused before anything is touched: %j', async (path) => {
    const { files, project } = await openPlace();
    await expect(files.writeFile(path, 'x')).rejects.toEqual(failsWith('path-invalid'));
    await expect(files.readFile(path)).rejects.toEqual(failsWith('path-invalid'));
    expect(readdirSync(project)).toEqual(['settings']);
    expect(readdirSync(join(project, 'settings'))).toEqual([]);
  });

  it('are refused where they lead through a link', async () => {
    const { files, project, outside } = await openPlace();
    await symlink(outside, join(project, 'settings/folder'));
    await symlink(join(outside, 'secret.md'), join(project, 'settings/file.md'));
    await symlink(join(outside, 'new.md'), join(project, 'settings/dangling.md'));
    await symlink(outside, join(project, 'contents'));
    await symlink(project, join(project, '..', 'alias'));
    const paths = [
      '灯台/settings/folder/secret.md',
      '灯台/settings/file.md',
      '灯台/settings/dangling.md',
      '灯台/contents/secret.md',
      'alias/settings/a.md',
    ];
    for (const path of paths) {
      await expect(files.readFile(path)).rejects.toEqual(failsWith('path-invalid'));
      const write = files.writeFile(path, 'x', { overwrite: true });
      await expect(write).rejects.toEqual(failsWith('path-invalid'));
    }
    await expect(files.listFiles('灯台/contents')).rejects.toEqual(failsWith('path-invalid'));
    expect(await files.listFiles('灯台/settings')).toEqual([]);
    expect(readdirSync(outside)).toEqual(['secret.md']);
    expect(await readFile(join(outside, 'secret.md'), 'utf8')).toBe('secret');
    expect(await files.listProjects()).toEqual(['灯台']);
  });

  it('are read through a link that stays among the files of the project, and never written', async () => {
    const { files, project } = await openPlace();
    await mkdir(join(project, 'contents'));
    await mkdir(join(project, '.vizprompt'));
    await writeFile(join(project, 'contents/a.md'), 'inside');
    for (const name of ['.vizprompt/a.md', 'a.md']) await writeFile(join(project, name), 'derived');
    await symlink('../contents/a.md', join(project, 'settings/file.md'));
    await symlink('../contents', join(project, 'settings/folder'));
    await symlink('../.vizprompt', join(project, 'settings/hidden'));
    await symlink('../a.md', join(project, 'settings/beside.md'));
    await symlink('round.md', join(project, 'settings/round.md'));
    expect(await files.readFile('灯台/settings/file.md')).toBe('inside');
    expect(await files.readFile('灯台/settings/folder/a.md')).toBe('inside');
    for (const name of ['hidden/a.md', 'beside.md', 'round.md']) {
      const read = files.readFile(`灯台/settings/${name}`);
      await expect(read).rejects.toEqual(failsWith('path-invalid'));
    }
    for (const name of ['file.md', 'folder/a.md']) {
      const write = files.writeFile(`灯台/settings/${name}`, 'x', { overwrite: true });
      await expect(write).rejects.toEqual(failsWith('path-invalid'));
    }
    expect(await readFile(join(project, 'contents/a.md'), 'utf8')).toBe('inside');
    expect(await files.listFiles('灯台/settings')).toEqual([]);
  });

  it('are refused where a folder, a pipe or nothing is', async () => {
    const { files, project } = await openPlace();
    await mkdir(join(project, 'settings/folder.md'));
    await expect(files.readFile('灯台/settings/folder.md')).rejects.toEqual(
      failsWith('file-invalid'),
    );
    await expect(
      files.writeFile('灯台/settings/folder.md', 'x', { overwrite: true }),
    ).rejects.toEqual(failsWith('path-invalid'));
    await expect(files.readFile('灯台/settings/none.md')).rejects.toEqual(
      failsWith('file-not-found'),
    );
    await expect(files.writeFile('島/settings/a.md', 'x')).rejects.toEqual(
      failsWith('file-not-found'),
    );
    await writeFile(join(project, 'settings/a.md'), 'x');
    await expect(files.readFile('灯台/settings/a.md/b.md')).rejects.toEqual(
      failsWith('path-invalid'),
    );
    expect(existsSync(join(project, '../島'))).toBe(false);
  });
});
