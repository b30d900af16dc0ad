import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { placeWithSession } from '../../support/open-place.ts';
import { binOf } from '../../support/run.ts';

const run = promisify(execFile);
// A program of util-linux that gives another one a terminal.
const hasScript = spawnSync('script', ['--version']).stdout?.includes('util-linux') ?? false;

describe.skipIf(!hasScript)('on a terminal', () => {
  it('there are colours, unless NO_COLOR says otherwise, and a bar that goes away', async () => {
    const { place } = await placeWithSession();
    await using _ = place;
    await place.run('ptta', ['log:user', 'こんにちは']);
    await place.run('ptta', ['export', '--output', 'all.json']);
    const onTerminal = async (words: string, env: object = {}): Promise<string> => {
      const command = `"${process.execPath}" "${binOf('ptta')}" ${words}`;
      const { stdout } = await run('script', ['-qec', command, '/dev/null'], {
        cwd: place.cwd,
        env: { PATH: process.env['PATH'], HOME: place.home, TERM: 'xterm', ...env },
      });
      return stdout;
    };
    expect(await onTerminal('history')).toContain('\u001B[34muser_message\u001B[39m');
    expect(await onTerminal('history', { NO_COLOR: '1' })).not.toContain('\u001B');
    const imported = await onTerminal('import all.json');
    expect(imported).toContain('\r\u001B[2Kall.json 1');
    expect(imported).toContain('\r\u001B[2Kall.json: 0 events added, 1 known');
    const piped = await place.run('ptta', ['import', 'all.json']);
    expect([piped.stderr, piped.stdout.includes('\u001B')]).toEqual(['', false]);
  });
});
