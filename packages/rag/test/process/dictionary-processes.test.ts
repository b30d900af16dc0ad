import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';

const run = promisify(execFile);
const entry = fileURLToPath(new URL('../../dist/index.js', import.meta.url));
const program = `
  const { compactAnalyzer } = await import(process.argv[1]);
  const shares = [];
  const onProgress = (share) => shares.push(share);
  const analyzer = await compactAnalyzer({ cacheFolder: process.argv[2], onProgress });
  const words = analyzer.words('走った').map(({ basic }) => basic);
  console.log(JSON.stringify({ words, shares }));
`;

/** Returns the built package in a process of its own, which compiles the dictionary in yet another one. */
async function analyze(folder: string): Promise<{ words: string[]; shares: number[] }> {
  const flags = ['--input-type=module', '--eval', program];
  const { stdout } = await run(process.execPath, [...flags, entry, folder]);
  return JSON.parse(stdout) as { words: string[]; shares: number[] };
}

test('two processes may compile the dictionary at once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-dictionary-'));
  try {
    for (const { words, shares } of await Promise.all([analyze(folder), analyze(folder)])) {
      expect(words).toEqual(['走る', 'た']);
      expect(shares.at(0)).toBe(0);
      expect(shares.at(-1)).toBe(1);
      expect(shares.length).toBeGreaterThan(3);
    }
    const [file = '', ...others] = await readdir(folder);
    expect(others).toEqual([]);
    const expected = await readFile(join(inject('dictionaryFolder'), file));
    expect(expected.equals(await readFile(join(folder, file)))).toBe(true);
    expect((await analyze(folder)).shares).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
