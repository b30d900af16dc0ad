import type { StoredNode } from '@vizprompt/core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { Place } from './place.ts';
import type { CommandOptions } from './command.ts';
import type { RunResult } from './run.ts';

/** A folder with a project, and `vizprompt` runs in it. */
export interface TestProject {
  readonly place: Place;
  run(args: readonly string[], options?: Partial<CommandOptions>): Promise<RunResult>;
  /** With `--json`. */
  json<Value>(args: readonly string[], options?: Partial<CommandOptions>): Promise<Value>;
  /** Makes a node after the head. */
  node(prompt: string, response?: string): Promise<StoredNode>;
}

/** Returns a project in a place that is gone when the test is finished. */
export async function testProject(): Promise<TestProject> {
  const place = await Place.make();
  onTestFinished(() => place[Symbol.asyncDispose]());
  return projectAt(place);
}

/** Returns a project with one node, for all tests of a file. */
export function sharedProject(): Pick<TestProject, 'run'> {
  let project: TestProject | undefined;
  beforeAll(async () => {
    project = await projectAt(await Place.make());
    await project.node('一');
  });
  afterAll(() => project?.place[Symbol.asyncDispose]());
  return {
    async run(args, options) {
      if (!project) throw new Error('there is no project yet');
      return project.run(args, options);
    },
  };
}

async function projectAt(place: Place): Promise<TestProject> {
  const json: TestProject['json'] = (args, options) => place.json('vizprompt', args, options);
  await json(['init']);
  return {
    place,
    json,
    run: (args, options) => place.run('vizprompt', args, options),
    node: (prompt, response = '') =>
      json<StoredNode>(['create-node', '--prompt', prompt, '--response', response]),
  };
}
