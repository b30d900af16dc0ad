import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileChange, RecordedEdit } from '@vizprompt/memory';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Background } from '../../support/background.ts';
import type { Place } from '../../support/place.ts';
import { placeWithSession } from '../../support/open-place.ts';

describe('changes that ptta records', () => {
  let place: Place;
  let file: string;
  beforeAll(async () => {
    ({ place } = await placeWithSession());
    file = join(place.cwd, 'a.txt');
  });
  beforeEach(() => writeFile(file, 'one\n'));
  afterAll(() => place[Symbol.asyncDispose]());

  it.each([
    ['--editor', ['--editor', 'echo given >>'], 'given'],
    ['$VISUAL', [], 'visual'],
  ])('are those of the editor that %s names', async (_, args, added) => {
    const env = { VISUAL: 'echo visual >>', EDITOR: 'echo editor >>' };
    // An editor is read by a shell, and this one is the beginning of a command.
    const edit = ['edit', 'a.txt', '--reason', '足す', ...args.map(asEditor)];
    const shells = Object.fromEntries(
      Object.entries(env).map(([name, value]) => [name, asEditor(value)]),
    );
    const { code, stdout } = await place.run('ptta', edit, { env: shells });
    expect(code).toBe(0);
    expect(stdout).toContain(`+${added}`);
    expect(await readFile(file, 'utf8')).toBe(`one\n${added}\n`);
  });

  it('are those of a script with a space in its name, by $EDITOR', async () => {
    const script = join(place.home, 'my editor.sh');
    await writeFile(script, '#!/bin/sh\necho "from $# file" >> "$1"\n');
    await chmod(script, 0o755);
    const env = { EDITOR: `'${script}'` };
    const args = ['edit', 'a.txt', '--reason', 'r'];
    const recorded = await place.json<RecordedEdit>('ptta', args, { env });
    expect(recorded.edit.data).toMatchObject({ new_content: 'one\nfrom 1 file\n', success: true });
    expect(recorded.edit.data.intention_event_id).toBe(recorded.intention.id);
  });

  it('are those of a command, whose output is not taken for the result', async () => {
    const args = ['edit:record', 'a.txt', '--reason', '変える', '--json', '--'];
    const command = ['sh', '-c', 'echo noise; printf "%s\\n" "$1" >> a.txt', 'sh', '--json 二'];
    const { code, stdout, stderr } = await place.spawn('ptta', [...args, ...command]);
    expect([code, stderr]).toEqual([0, 'noise\n']);
    const recorded = JSON.parse(stdout) as RecordedEdit;
    expect(recorded.edit.data.new_content).toBe('one\n--json 二\n');
    const [newest] = await place.json<FileChange[]>('ptta', ['file:history', 'a.txt']);
    expect(newest?.edit?.id).toBe(recorded.edit.id);
    expect(newest?.intention?.data.reason).toBe('変える');
  });

  it('are recorded as failed with the exit code of the command', async () => {
    const command = ['--', 'sh', '-c', 'echo half >> a.txt; exit 7'];
    const failed = await place.run('ptta', ['edit:record', 'a.txt', '--reason', 'r', ...command]);
    expect(failed.code).toBe(7);
    expect(failed.stderr).toContain('sh ended with 7');
    const [newest] = await place.json<FileChange[]>('ptta', ['file:history', 'a.txt']);
    expect(newest?.edit?.data).toMatchObject({ success: false, new_content: 'one\nhalf\n' });
  });

  it('leave Ctrl+C to the command, and are recorded then, too', async () => {
    const script = `const { appendFileSync, existsSync } = require('fs');
      console.log('ready');
      const looking = setInterval(() => {
        if (!existsSync('go')) return;
        appendFileSync('a.txt', 'slow');
        clearInterval(looking);
      }, 5);`;
    const args = ['edit:record', 'a.txt', '--reason', 'r', '--', process.execPath, '-e', script];
    const edit = Background.start(place, 'ptta', args);
    await edit.shows('ready');
    edit.child.kill('SIGINT');
    await writeFile(join(place.cwd, 'go'), '');
    expect(await edit.end()).toBe(0);
    const [newest] = await place.json<FileChange[]>('ptta', ['file:history', 'a.txt']);
    expect(newest?.edit?.data.new_content).toBe('one\nslow');
  });

  it.each([
    [['edit', 'a.txt'], 2, "required option '--reason <reason>'"],
    [['edit', 'a.txt', '--reason', 'r', '--editor', 'false'], 1, 'false ended with 1'],
    [['edit', 'a.txt', '--reason', 'r', '--editor', 'no-such-editor'], 127, 'ended with 127'],
    [['edit', '.', '--reason', 'r', '--editor', 'true'], 4, 'it is a folder'],
    [['edit:record', 'a.txt', '--reason', 'r'], 2, "missing required argument 'command'"],
    [['edit:record', 'a.txt', '--reason', 'r', '--', './none'], 127, './none cannot be run'],
    [['edit:record', 'a.txt', '--reason', 'r', '--', './a.txt'], 126, './a.txt cannot be run'],
    [['edit:record', 'a.txt', '--reason', 'r', '--session', 'x', '--', 'true'], 3, "session 'x'"],
  ])('are refused for %j', async (args, code, message) => {
    const result = await place.run('ptta', args);
    expect(result.stderr).toContain(message);
    expect([result.code, result.stdout]).toEqual([code, '']);
  });
});

/** `echo x >>` with the file after it is what the shell runs. */
function asEditor(word: string): string {
  return word.startsWith('echo') ? `sh -c '${word} "$1"' sh` : word;
}
