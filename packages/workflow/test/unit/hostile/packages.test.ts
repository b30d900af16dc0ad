import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readWorkflowTrust, WorkflowEngine, type WorkflowEngineOptions } from '@vizprompt/workflow';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ask, failureOf, fileOf } from '../../support/hostile-flow.ts';

const PACKAGE = 'ai-sdk:eventemitter3:m';
const files = {
  ...fileOf([ask('say', 'user_input', 'said')]),
  agent_roles: { a: { system_prompt: 's', model: PACKAGE } },
};

async function errorOf(options: Partial<WorkflowEngineOptions>): Promise<unknown> {
  const engine = await WorkflowEngine.open({ files, ...options });
  onTestFinished(() => engine.close());
  return failureOf((await engine.start('main', 'x')).result);
}

describe('a package that a definition names', () => {
  it('is not loaded without consent', async () => {
    const message = 'the package eventemitter3 is loaded and run';
    for (const trust of [undefined, false, () => false]) {
      expect(String(await errorOf({ trust }))).toContain(message);
    }
  });

  it('is loaded with consent, which is asked for its use', async () => {
    const asked: string[] = [];
    const error = await errorOf({
      trust: ({ uses }) => {
        asked.push(...uses.map(({ kind }) => kind));
        return true;
      },
    });
    expect(String(error)).toContain('is no provider of the AI SDK');
    expect(asked).toEqual(['package']);
  });

  it('is what its file asks consent for', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vizprompt-workflow-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'flow.yaml');
    await writeFile(file, JSON.stringify({ ...files, use: { models: { short: PACKAGE } } }));
    const { place, uses } = await readWorkflowTrust(file);
    expect(place).toBe(file);
    expect(uses).toMatchObject([{ kind: 'package' }]);
  });

  it('is loaded where the program itself names the model', async () => {
    const engine = await WorkflowEngine.open({
      files: { ...files, agent_roles: { a: { system_prompt: 's' } } },
      defaultModel: PACKAGE,
    });
    onTestFinished(() => engine.close());
    const error = await failureOf((await engine.start('main', 'x')).result);
    expect(String(error)).toContain('is no provider of the AI SDK');
  });
});
