import type { FlowSummary, StoredFlow, StoredNode } from '@vizprompt/core';
import { describe, expect, it } from 'vitest';
import { sharedProject, testProject } from '../../support/project.ts';

// A refused command changes nothing, so one project is enough.
const bad = sharedProject();

describe('the commands of flows', () => {
  it('make, list and show flows', async () => {
    const { run, json } = await testProject();
    expect(await run(['flow', 'list'])).toMatchObject({
      stdout: '',
      stderr: 'nothing was found\n',
    });
    const options = ['--alias', 'api', '--description', 'どう見えるか'];
    const made = await json<StoredFlow>(['flow', 'create', 'API 設計 🐈', ...options]);
    expect(made).toMatchObject({ alias: 'api', description: 'どう見えるか', nodes: [] });
    await json(['create-node', '--prompt', '一', '--flow', 'api']);
    const list = await json<FlowSummary[]>(['flow', 'list']);
    expect(list).toMatchObject([{ id: made.id, name: 'API 設計 🐈', nodes: 1 }]);
    expect((await run(['flow', 'list'])).stdout).toBe(`${made.id}  1 node  api: API 設計 🐈\n`);
    const shown = await run(['flow', 'show', 'api']);
    expect(shown.stdout).toBe(`API 設計 🐈 (${made.id}): 1 node, 0 connections\n* 1 一\n`);
    expect((await run(['flow', 'create', '別', '--alias', 'api'])).code).toBe(4);
    expect((await run(['flow', 'show', 'どこ'])).code).toBe(3);
  });

  it('branch, connect and rebuild', async () => {
    const { run, json, node } = await testProject();
    const a = await node('一', '壱');
    const b = await node('二');
    const words = ['--prompt', '別の二', '--response', '弐', '--branch-name', '別案'];
    const c = await json<StoredNode>(['flow', 'branch', '1', ...words, '--tags', 't']);
    expect(c).toMatchObject({ response: '弐', tags: ['t'] });
    const d = await json<StoredNode>(['create-node', '--prompt', '四', '--after', '2']);
    const joined = await run(['flow', 'connect', '3', '4', '--branch-name', '合流']);
    expect(joined.stdout).toBe('Connected 3 → 4 in the flow main\n');
    expect((await run(['flow', 'show'])).stdout).toContain(
      '● 1 一\n├─● 2 二\n│ * 4 四 ⇠ 3\n└─● 3 [別案] 別の二\n',
    );
    const circle = await run(['flow', 'connect', d.id, '1']);
    expect(circle.code).toBe(2);
    expect(circle.stderr).toContain('closes a circle');
    const rebuilt = await json<StoredFlow>(['flow', 'rebuild', 'main', '1', c.id, '4']);
    expect(rebuilt.nodes.map(({ id }) => id)).toEqual([a.id, c.id, d.id]);
    expect(rebuilt.connections).toEqual([
      { from: a.id, to: c.id },
      { from: c.id, to: d.id },
    ]);
    expect(await json(['get-node', b.id])).toMatchObject({ prompt: '二' });
  });

  it.each([
    [['flow'], 2, 'vizprompt flow needs a command'],
    [['flow', 'lst'], 2, "unknown command 'lst'"],
    [['flow', 'list', 'x'], 2, 'too many arguments'],
    [['flow', 'create'], 2, "missing required argument 'name'"],
    [['flow', 'connect', '1'], 2, "missing required argument 'to'"],
    [['flow', 'connect', '1', '1'], 2, 'circle'],
    [['flow', 'branch', '1'], 2, 'give one of --prompt, --prompt-file'],
    [['flow', 'branch', '8', '--prompt', 'x'], 3, 'no node 8'],
    [['flow', 'rebuild', 'main'], 2, "missing required argument 'nodes'"],
    [['flow', 'rebuild', 'main', '1', '1'], 2, 'comes twice'],
    [['flow', 'rebuild', 'どこ', '1'], 3, 'どこ'],
  ])('refuse %j', async (args, code, message) => {
    const result = await bad.run(args);
    expect([result.code, result.stdout]).toEqual([code, '']);
    expect(result.stderr).toContain(message);
  });
});
