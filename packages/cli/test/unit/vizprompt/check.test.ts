import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckReport, RepairReport, StoredFlow } from '@vizprompt/core';
import { describe, expect, it } from 'vitest';
import { sharedProject, testProject, type TestProject } from '../../support/project.ts';

const bad = sharedProject();

/** Returns a project with a node whose file is cut in the middle, and one whose file is gone. */
async function damaged(): Promise<TestProject> {
  const project = await testProject();
  await project.node('一', '壱');
  await project.node('二', '弐');
  await project.node('三', '参');
  const file = join(project.place.cwd, 'nodes/00/01.xml');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.slice(0, text.indexOf('弐')));
  await rm(join(project.place.cwd, 'nodes/00/02.xml'));
  return project;
}

describe('vizprompt check and repair', () => {
  it('find nothing in a project that is whole', async () => {
    const { run, json, node } = await testProject();
    await node('一');
    expect(await run(['check'])).toMatchObject({
      code: 0,
      stdout: '1 node and 1 flow: nothing is wrong\n',
    });
    expect((await run(['repair'])).stdout).toBe('There is nothing to repair.\n');
    expect(await json(['check'])).toMatchObject({ isHealthy: true, findings: [] });
  });

  it('name what is wrong with its place, and end with 5', async () => {
    const { run } = await damaged();
    const { code, stdout, stderr } = await run(['check']);
    expect(code).toBe(5);
    expect(stdout).toMatch(/^nodes\/00\/01\.xml:\d+: error ill-formed: .+; .+$/m);
    expect(stdout).toMatch(/^flows\/00\/00\.yaml:\d+: warning missing-node: /m);
    expect(stderr).toMatch(/something is wrong in \d+ places: run vizprompt repair/);
    const asJson = await run(['check', '--json']);
    const { findings } = JSON.parse(asJson.stdout) as CheckReport;
    expect(findings.map(({ code: found }) => found)).toContain('missing-node');
    expect(JSON.parse(asJson.stderr.split('\n').at(-2) ?? '')).toMatchObject({
      error: { code: 'found-problems', exitCode: 5 },
    });
  });

  it('repair without deleting what was said', async () => {
    const { place, run, json } = await damaged();
    const dry = await run(['repair', '--dry-run']);
    expect(dry.code).toBe(0);
    expect(dry.stdout).toContain('missing-node');
    expect((await run(['check'])).code).toBe(5);
    const { code, stdout } = await run(['repair']);
    expect(code).toBe(0);
    expect(stdout).toContain('Repaired: ');
    expect(stdout).toContain('lost+found/');
    const kept = await readdir(join(place.cwd, 'lost+found'), { recursive: true });
    expect(kept.join('\n')).toContain('01.xml');
    expect((await run(['check'])).code).toBe(0);
    expect((await json<StoredFlow>(['flow', 'show'])).nodes).toHaveLength(2);
  });

  it('leave nodes whose files may come back, and say so', async () => {
    const { run, json } = await damaged();
    const { code, stdout } = await run(['repair', '--keep-missing', '--json']);
    expect(code).toBe(5);
    const { left } = JSON.parse(stdout) as RepairReport;
    expect(left.every((finding) => finding.code === 'missing-node')).toBe(true);
    expect((await json<StoredFlow>(['flow', 'show'])).nodes).toHaveLength(3);
  });

  it('refuse what they do not know', async () => {
    const unknown = await bad.run(['check', 'x']);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('too many arguments');
    const mistyped = await bad.run(['repair', '--keep']);
    expect([mistyped.code, mistyped.stdout]).toEqual([2, '']);
  });

  it('say where config.yaml is wrong', async () => {
    const { place, run } = await testProject();
    await writeFile(join(place.cwd, 'config.yaml'), 'settings:\n  max_files_per_folder: 999\n');
    const { code, stderr } = await run(['check', '--lang', 'ja']);
    expect(code).toBe(2);
    expect(stderr).toContain('config.yaml:2:');
  });
});
