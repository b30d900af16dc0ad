import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Background } from '../../support/background.ts';
import { isOnPath } from '../../support/on-path.ts';
import { Place } from '../../support/place.ts';

const run = promisify(execFile);

/** Why a shell is skipped; a machine that has it runs its tests. */
const missing = (shell: string): string =>
  isOnPath(shell) ? '' : ` (skipped: there is no ${shell}, install it)`;

async function placeWith(shell: 'zsh' | 'fish'): Promise<Place> {
  const place = await Place.make();
  for (const tool of ['ptta', 'vizprompt'] as const) {
    const { stdout } = await place.run(tool, ['completion', shell]);
    await writeFile(join(place.cwd, `${tool}.${shell}`), stdout);
  }
  await mkdir(join(place.cwd, 'zebra folder'));
  await writeFile(join(place.cwd, 'zebra file.txt'), '');
  return place;
}

describe.skipIf(!isOnPath('fish'))(`the completion of fish${missing('fish')}`, () => {
  let place: Place;
  beforeAll(async () => {
    place = await placeWith('fish');
  });
  afterAll(() => place[Symbol.asyncDispose]());

  /** Returns the completions of real fish for a line. */
  async function complete(line: string): Promise<readonly string[]> {
    const script = 'source ptta.fish; source vizprompt.fish; complete --do-complete $argv[1]';
    const { stdout, stderr } = await run('fish', ['--no-config', '-c', script, line], {
      cwd: place.cwd,
      env: { PATH: process.env['PATH'] ?? '', HOME: place.home, LANG: 'C.UTF-8' },
    });
    expect(stderr).toBe('');
    return stdout
      .split('\n')
      .map((offer) => offer.split('\t', 1)[0] ?? '')
      .filter((offer) => offer !== '')
      .toSorted();
  }

  it('offers commands, those of groups too', async () => {
    expect(await complete('ptta log:u')).toEqual(['log:user']);
    expect(await complete('ptta --json session:st')).toEqual(['session:start']);
    expect(await complete('vizprompt flow re')).toEqual(['rebuild']);
    expect(await complete('vizprompt workflow dry')).toEqual(['dry-run']);
  });

  it('offers the options of a command, and what they take', async () => {
    expect(await complete('ptta log:edit a.txt --act')).toEqual(['--action']);
    expect(await complete('ptta log:edit a.txt --action ')).toEqual(['create', 'delete', 'edit']);
    expect(await complete('ptta log:edit a.txt --action=d')).toEqual(['--action=delete']);
    expect(await complete('ptta search word --session ')).toEqual([]);
    expect(await complete('ptta --lang ')).toEqual(['en', 'ja']);
    expect(await complete('ptta completion f')).toEqual(['fish']);
  });

  it('offers files where files are wanted, and nowhere else', async () => {
    expect(await complete('ptta log:edit ze')).toEqual(['zebra file.txt', 'zebra folder/']);
    expect(await complete('ptta export --output zebra\\ fi')).toEqual(['zebra file.txt']);
    expect(await complete('ptta ze')).toEqual([]);
  });
});

describe.skipIf(!isOnPath('zsh'))(`the completion of zsh${missing('zsh')}`, () => {
  let place: Place;
  beforeAll(async () => {
    place = await placeWith('zsh');
    // The tool prints its words, so that a line can be seen as it was completed.
    const rc = `autoload -Uz compinit && compinit -u -d "$ZDOTDIR/dump"
source ./ptta.zsh; source ./vizprompt.zsh
setopt no_beep no_list_beep; unset zle_bracketed_paste; PS1='ready> '
show() { print -r -- "<\${(j:|:)@}>" }
ptta() { show "$@" }
vizprompt() { show "$@" }
`;
    await writeFile(join(place.home, '.zshrc'), rc);
  });
  afterAll(() => place[Symbol.asyncDispose]());

  /** Returns the words of a line as real zsh has them after a key. */
  async function complete(...lines: readonly string[]): Promise<readonly string[]> {
    const env = { ZDOTDIR: place.home, TERM: 'xterm' };
    const shell = new Background(place, ['script', '-qec', 'zsh -i', '/dev/null'], env);
    const found: string[] = [];
    for (const line of lines) {
      await shell.shows(/ready> [^>]*$/);
      shell.stdout = '';
      shell.type(`${line}\t`);
      await shell.shows(/^<.*>\r?$/m);
      found.push(/^<(.*)>\r?$/m.exec(shell.stdout)?.[1] ?? '');
    }
    shell.type('exit');
    await shell.end();
    return found;
  }

  it('completes commands, those of groups too', async () => {
    const lines = ['ptta log:u', 'ptta --json session:st', 'vizprompt flow re'];
    expect(await complete(...lines, 'vizprompt workflow dry')).toEqual([
      'log:user',
      '--json|session:start',
      'flow|rebuild',
      'workflow|dry-run',
    ]);
  });

  it('completes the options of a command, and what they take', async () => {
    expect(
      await complete(
        'ptta log:edit a.txt --act',
        'ptta log:edit a.txt --action d',
        'ptta log:edit a.txt --action=d',
        'ptta --lang j',
        'ptta completion f',
        'ptta search word --session x',
      ),
    ).toEqual([
      'log:edit|a.txt|--action',
      'log:edit|a.txt|--action|delete',
      'log:edit|a.txt|--action=delete',
      '--lang|ja',
      'completion|fish',
      'search|word|--session|x',
    ]);
  });

  it('completes files where files are wanted, and nowhere else', async () => {
    expect(
      await complete('ptta log:edit zebra\\ fi', 'ptta export --output zebra\\ fi', 'ptta ze'),
    ).toEqual(['log:edit|zebra file.txt', 'export|--output|zebra file.txt', 'ze']);
  });
});
