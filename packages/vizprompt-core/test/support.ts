import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { mkdirSync } from 'node:fs';
import { VizPrompt, type OpenOptions, type VizPromptEvents } from '@vizprompt/core';
import { onTestFinished } from 'vitest';

/** A folder that is deleted when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-core-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A project in a folder of its own. */
export interface TestProject {
  readonly folder: string;
  readonly vizprompt: VizPrompt;
  /** Closes it and opens it again. */
  reopen(options?: Omit<OpenOptions, 'storage'>): Promise<VizPrompt>;
  read(file: string): Promise<string>;
  write(file: string, text: string): Promise<void>;
}

export async function testProject(
  options: Omit<OpenOptions, 'storage'> = {},
): Promise<TestProject> {
  const folder = await temporaryFolder();
  let vizprompt = await VizPrompt.open(folder, options);
  onTestFinished(() => vizprompt.close());
  return {
    folder,
    get vizprompt() {
      return vizprompt;
    },
    async reopen(again = options) {
      await vizprompt.close();
      vizprompt = await VizPrompt.open(folder, again);
      return vizprompt;
    },
    read: (file) => readFile(join(folder, file), 'utf8'),
    async write(file, text) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), text);
    },
  };
}

/** Everything that a project said, in order. */
export function record(): {
  readonly heard: [name: string, payload: unknown][];
  readonly on: NonNullable<OpenOptions['on']>;
} {
  const heard: [string, unknown][] = [];
  const names: (keyof VizPromptEvents)[] = [
    'node:created',
    'node:updated',
    'node:deleted',
    'node:collided',
    'flow:created',
    'flow:updated',
    'flow:deleted',
    'problem:found',
    'index:progress',
    'map:repaired',
    'import:progress',
    'import:skipped',
    'build:progress',
    'build:failed',
  ];
  const on = Object.fromEntries(
    names.map((name) => [name, (payload: unknown) => heard.push([name, payload])]),
  );
  return { heard, on };
}

/** The graph of the first flow, by prompts and responses. */
export async function shapeOf(vizprompt: VizPrompt): Promise<{ nodes: string[]; edges: string[] }> {
  const [summary] = await vizprompt.listFlows();
  const flow = await vizprompt.getFlow(summary?.id);
  const names = new Map<string, string>();
  for (const { id } of flow.nodes) {
    const { prompt, response } = await vizprompt.getNode(id);
    names.set(id, `${prompt} / ${response}`);
  }
  return {
    nodes: [...names.values()],
    edges: flow.connections.map(({ from, to }) => `${names.get(from)} → ${names.get(to)}`),
  };
}

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string;
  }
}
