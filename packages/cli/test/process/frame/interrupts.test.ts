import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Place } from '../../support/place.ts';
import { binOf } from '../../support/run.ts';

const SESSION = '01a20000-0000-7000-8000-00000000000a';
const BEGINNING = `{"format":"vizprompt-memory","version":1,"exported_at":"2026-01-31T00:00:00.000Z","records":[
{"session":{"id":"${SESSION}","workspace_path":"/home/me","started_at":"2026-01-31T00:00:00.000Z","ended_at":null,"metadata":{}}},
`;

describe('a command that waits for its input', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('is stopped by %s, and ends with %i', async (signal, expected) => {
    await using place = await Place.make();
    const child = spawn(process.execPath, [binOf('ptta'), 'import', '-', '--json'], {
      cwd: place.cwd,
      env: { PATH: process.env['PATH'] ?? '', HOME: place.home },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let complaints = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
    const ended = once(child, 'close');
    child.stdin.write(BEGINNING);
    // It has read what there is, and waits for more.
    const show = ['session:show', SESSION];
    await expect.poll(async () => (await place.run('ptta', show)).code).toBe(0);
    child.kill(signal);
    expect(await ended).toEqual([expected, null]);
    expect(JSON.parse(complaints)).toEqual({
      error: {
        name: 'CliError',
        code: 'interrupted',
        message: `stopped by ${signal}`,
        context: {},
        exitCode: expected,
      },
    });
  });
});
