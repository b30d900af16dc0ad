import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChatModel, Storage } from '@vizprompt/providers';
import { openStorage } from '@vizprompt/providers/node';
import { scriptedModel, type Script, type ScriptedModel } from '@vizprompt/providers/testing';
import {
  WorkflowEngine,
  type Step,
  type WorkflowDefinition,
  type WorkflowEngineOptions,
  type WorkflowFile,
} from '@vizprompt/workflow';
import { onTestFinished } from 'vitest';

/** Returns a storage on the disk, in a folder that is deleted when the test ends. */
export async function diskStorage(): Promise<Storage> {
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-workflow-'));
  const storage = await openStorage(folder);
  onTestFinished(async () => {
    await storage.close();
    await rm(folder, { recursive: true, force: true });
  });
  return storage;
}

/** Returns an engine that is closed when the test ends. */
export async function openEngine(
  files: WorkflowFile,
  options: Omit<WorkflowEngineOptions, 'files'> = {},
): Promise<WorkflowEngine> {
  const engine = await WorkflowEngine.open({ files, ...options });
  onTestFinished(() => engine.close());
  return engine;
}

/** Returns a file with one workflow, whose agent is `a` and whose prompt `p` shows the variable `v`. */
export function fileOf(
  steps: readonly Step[],
  more: Partial<WorkflowDefinition> = {},
  prompts: Readonly<Record<string, string>> = {},
): WorkflowFile {
  return {
    agent_roles: { a: { system_prompt: 'あなたは答える。', model: 'm' } },
    prompts: { p: '{{ v }}', ...prompts },
    workflows: { main: { ...more, steps } },
  };
}

/** Returns a step that asks `a` with the prompt `p`. */
export function ask(id: string, from: string, to: string, more: object = {}): Step {
  return {
    id,
    type: 'agent_interaction',
    agent_id: 'a',
    prompt_id: 'p',
    input_variables: { v: from },
    output_variable: to,
    ...more,
  };
}

/** Returns the model `m`. */
export function models(script: Script): {
  models: Record<string, ChatModel>;
  model: ScriptedModel;
} {
  const model = scriptedModel(script, { modelId: 'm', chunkSize: 1_000_000 });
  return { models: { m: model }, model };
}

/** Returns the error of a promise that rejects. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}
