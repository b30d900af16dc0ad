import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installPacked } from '../../support/install-packed.ts';
import { runFile } from '../../support/run.ts';
import { dialogoiCalls } from './dialogoi-calls.ts';
import { pttaCalls } from './ptta-calls.ts';
import { talktableCalls } from './talktable-calls.ts';
import { vizpromptCalls } from './vizprompt-calls.ts';

const run = promisify(execFile);

const tools = [
  { name: 'dialogoi', calls: dialogoiCalls },
  { name: 'ptta', calls: pttaCalls },
  { name: 'talktable', calls: talktableCalls },
  { name: 'vizprompt', calls: vizpromptCalls },
];

describe('the packed packages in an empty folder', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'cli-packed-')));
    await installPacked(folder);
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  it('are found by npx', async () => {
    const { stdout } = await run('npx', ['--no-install', 'ptta', '--version'], { cwd: folder });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  for (const { name, calls } of tools) {
    it(`run the commands of ${name}`, async () => {
      const cwd = join(folder, name);
      await mkdir(cwd);
      const bin = join(folder, 'node_modules', '.bin', name);
      for (const { args, code = 0, shows = '', files = {}, ...options } of calls) {
        for (const [file, text] of Object.entries(files)) {
          await mkdir(join(cwd, file, '..'), { recursive: true });
          await writeFile(join(cwd, file), text);
        }
        const result = await runFile(bin, args, { cwd, ...options });
        const isFine = result.code === code && result.stdout.includes(shows);
        expect(isFine ? 'fine' : { args, ...result }).toBe('fine');
      }
    });

    it(`give the version and the completion of ${name}`, async () => {
      const bin = join(folder, 'node_modules', '.bin', name);
      const { stdout } = await runFile(bin, ['--version'], { cwd: folder });
      expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
      const completion = await runFile(bin, ['completion', 'bash'], { cwd: folder });
      expect(completion.stdout).toContain(`complete -F _${name} ${name}`);
    });
  }
});
