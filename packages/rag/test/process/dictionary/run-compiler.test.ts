import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runCompiler } from '../../../src/dictionary/compile-elsewhere.ts';
import { temporaryFolder } from '../../support/search-index.ts';

const compiler = fileURLToPath(new URL('../../../dist/vizprompt-rag-compiler.js', import.meta.url));
const job = { source: '無い', path: join(tmpdir(), 'none.bin') };

async function programOf(code: string): Promise<string> {
  const file = join(temporaryFolder(), 'compiler.mjs');
  await writeFile(file, code);
  return file;
}

describe('the process that compiles a dictionary', () => {
  const onProgress = (): void => {};

  it('complains in a sentence, without a stack', async () => {
    await expect(runCompiler(compiler, job, { onProgress })).rejects.toThrow(
      /^the compiler ended with 1: ENOENT: [^\n]*無い[^\n]*$/,
    );
  });

  it.skipIf(process.platform === 'win32')('may be killed', async () => {
    const program = await programOf(
      "process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1e6);",
    );
    await expect(runCompiler(program, job, { onProgress })).rejects.toThrow(
      /^the compiler ended with SIGKILL$/,
    );
  });

  it('is ended when it takes too long', async () => {
    const program = await programOf(
      "process.on('SIGTERM', () => {}); process.send(process.pid); setInterval(() => {}, 1e6);",
    );
    let pid = 0;
    const running = runCompiler(program, job, {
      onProgress: (share) => void (pid = share),
      longestMs: 1500,
    });
    await expect(running).rejects.toThrow('the compiler did not end within 1.5 s');
    expect(pid).toBeGreaterThan(0);
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('is ended by a signal', async () => {
    const program = await programOf('process.send(process.pid); setInterval(() => {}, 1e6);');
    const controller = new AbortController();
    let pid = 0;
    const running = runCompiler(program, job, {
      onProgress(share) {
        pid = share;
        controller.abort();
      },
      signal: controller.signal,
    });
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('is ended by a listener that throws, and what it threw is what comes back', async () => {
    const program = await programOf(
      'process.send(process.pid); process.send(1); setInterval(() => {}, 1e6);',
    );
    const broken = new Error('the bar broke');
    const shares: number[] = [];
    const running = runCompiler(program, job, {
      onProgress(share) {
        shares.push(share);
        throw broken;
      },
    });
    await expect(running).rejects.toBe(broken);
    expect(shares).toHaveLength(1);
    expect(isAlive(shares[0] ?? 0)).toBe(false);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
