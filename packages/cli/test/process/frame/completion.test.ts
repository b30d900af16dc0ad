import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Place } from '../../support/place.ts';

const run = promisify(execFile);

describe('the completion of bash', () => {
  let place: Place;
  beforeAll(async () => {
    place = await Place.make();
    const { stdout } = await place.run('ptta', ['completion', 'bash']);
    await writeFile(join(place.cwd, 'ptta.bash'), stdout);
    await writeFile(join(place.cwd, 'zebra file.txt'), '');
  });
  afterAll(() => place[Symbol.asyncDispose]());

  /** Returns the completions of real bash for a line, split into words as bash does it. */
  async function complete(line: string): Promise<readonly string[]> {
    const script = `source ./ptta.bash
      COMP_LINE="$1"; COMP_POINT=\${#1}
      $(complete -p ptta | sed 's/.*-F \\([^ ]*\\).*/\\1/')
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = await run('bash', ['--norc', '-c', script, 'bash', line], {
      cwd: place.cwd,
    });
    expect(stderr).toBe('');
    return stdout.split('\n').filter((word) => word !== '');
  }

  it('offers commands, and after a colon only the rest of their names', async () => {
    expect(await complete('ptta se')).toEqual([
      'session:start',
      'session:end',
      'session:list',
      'session:show',
      'session:current',
      'search',
      'setup',
      'serve',
    ]);
    expect(await complete('ptta session:')).toEqual(['start', 'end', 'list', 'show', 'current']);
    expect(await complete('ptta --json log:u')).toEqual(['user']);
  });

  it('offers the options of a command, and what they take', async () => {
    expect(await complete('ptta log:edit a.txt --a')).toEqual(['--action']);
    expect(await complete('ptta log:edit a.txt --action ')).toEqual(['create', 'edit', 'delete']);
    expect(await complete('ptta log:edit a.txt --action=d')).toEqual(['delete']);
    expect(await complete('ptta history --type t')).toEqual(['thinking', 'tool_use']);
    expect(await complete('ptta search word --session ')).toEqual([]);
    expect(await complete('ptta --lang ')).toEqual(['en', 'ja']);
  });

  it('offers files where files are wanted', async () => {
    expect(await complete('ptta log:edit ze')).toEqual(['zebra file.txt']);
    expect(await complete('ptta export --output ze')).toEqual(['zebra file.txt']);
    expect(await complete('ptta completion ')).toEqual(['bash', 'zsh', 'fish']);
  });
});
