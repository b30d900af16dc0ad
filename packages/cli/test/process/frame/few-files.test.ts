import { execFile } from 'node:child_process';
import { expect, it } from 'vitest';
import { placeWithSession } from '../../support/open-place.ts';
import { binOf } from '../../support/run.ts';

/** A command of each tool that loads much. */
const COMMANDS = [
  ['vizprompt', 'check'],
  ['vizprompt', 'search x'],
  ['ptta', 'history'],
  ['talktable', 'run x.yaml'],
  ['dialogoi', 'search x'],
] as const;

/** Runs a command with a limit of open files, from the fewest that Node itself starts with on. */
function runWith(
  limit: number,
  [tool, words]: (typeof COMMANDS)[number],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<string> {
  const command = `ulimit -n ${limit}; "${process.execPath}" "${binOf(tool)}" ${words} --json`;
  return new Promise((done) => {
    execFile('bash', ['-c', command], options, (_, __, stderr) => done(stderr.trim()));
  });
}

it.runIf(process.platform !== 'win32')(
  'a command that runs out of files says so, with a code and a hint',
  async () => {
    const { place } = await placeWithSession();
    await using _ = place;
    const options = { cwd: place.cwd, env: { PATH: process.env['PATH'], HOME: place.home } };
    const told: string[] = [];
    for (const limit of [20, 22, 26, 30, 36, 40]) {
      for (const command of COMMANDS) {
        // oxlint-disable-next-line no-await-in-loop -- a machine has few processors
        const text = await runWith(limit, command, options);
        if (text === '') continue;
        const { error }: { error: { code: string; message: string } } = JSON.parse(text);
        // A command that had enough files may fail for what it was asked.
        if (!/EMFILE|ulimit/.test(error.message) && error.code !== 'io') continue;
        told.push(command[0]);
        expect(error).toMatchObject({ code: 'io', message: expect.stringContaining('ulimit -n') });
      }
    }
    expect(new Set(told)).toEqual(new Set(COMMANDS.map(([tool]) => tool)));
  },
);
