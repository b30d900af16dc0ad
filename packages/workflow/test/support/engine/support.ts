import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { textOf, type ChatRequest, type Storage } from '@vizprompt/providers';
import { openStorage } from '@vizprompt/providers/node';
import { postgresStorage } from '@vizprompt/providers/postgres';
import {
  scriptedModel,
  type ScriptedAnswer,
  type ScriptedModel,
} from '@vizprompt/providers/testing';
import {
  WorkflowEngine,
  type ParallelAgent,
  type RunEvent,
  type WorkflowEngineOptions,
  type WorkflowFile,
  type WorkflowRun,
} from '@vizprompt/workflow';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';

/** Opens an engine that is closed when the test ends. */
export type OpenEngine = (options: WorkflowEngineOptions) => Promise<WorkflowEngine>;

/** An engine whose journal is in memory. */
export const openInMemory: OpenEngine = async (options) => {
  const engine = await WorkflowEngine.open(options);
  onTestFinished(() => engine.close());
  return engine;
};

/** A folder that is deleted when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-workflow-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A storage in a folder of its own. */
export async function sqliteStorage(): Promise<Storage> {
  const storage = await openStorage(await temporaryFolder());
  onTestFinished(() => storage.close());
  return storage;
}

/** A storage in a schema of its own. */
export async function postgres(): Promise<Storage> {
  const connectionString = inject('databaseUrl');
  const namespace = `flow_${randomBytes(6).toString('hex')}`;
  const storage = await postgresStorage({ connectionString, namespace });
  onTestFinished(async () => {
    await storage.close();
    const client = new pg.Client({ connectionString });
    await client.connect();
    await client.query(`DROP SCHEMA IF EXISTS "${namespace}", "${namespace}.cache" CASCADE`);
    await client.end();
  });
  return storage;
}

/** An engine whose journal is a SQLite file, a new one unless a storage is given. */
export const openOnSqlite: OpenEngine = async (options) =>
  openInMemory({ storage: await sqliteStorage(), ...options });

/** An engine whose journal is in PostgreSQL. */
export const openOnPostgres: OpenEngine = async (options) =>
  openInMemory({ storage: await postgres(), ...options });

/** Opens several engines on one journal. */
export type OpenJournal = () => Promise<OpenEngine>;

/** Engines on one SQLite file. */
export const sharedSqlite: OpenJournal = async () => {
  const storage = await sqliteStorage();
  return (options) => openInMemory({ storage, ...options });
};

/** Engines on one schema of PostgreSQL. */
export const sharedPostgres: OpenJournal = async () => {
  const storage = await postgres();
  return (options) => openInMemory({ storage, ...options });
};

/** What a request asks, without the system prompt. */
export function questionOf(request: ChatRequest): string {
  return request.messages
    .filter(({ role }) => role === 'user')
    .map((message) => textOf(message))
    .join('\n');
}

/** A model that answers by its question. */
export function answering(
  answer: (question: string, call: number) => ScriptedAnswer | Promise<ScriptedAnswer>,
  modelId = 'script',
): ScriptedModel {
  return scriptedModel((request, call) => answer(questionOf(request), call), { modelId });
}

/** A file with one agent and prompts by their names, for steps that are given. */
export function fileOf(
  steps: NonNullable<WorkflowFile['workflows']>[string]['steps'],
  more: Partial<WorkflowFile> & { readonly flow?: object } = {},
): WorkflowFile {
  const { flow = {}, ...file } = more;
  return {
    agent_roles: {
      a: { system_prompt: 'You are A.', model: 'm' },
      b: { system_prompt: 'You are B.', model: 'm' },
      c: { system_prompt: 'You are C.', model: 'm' },
      d: { system_prompt: 'You are D.', model: 'm' },
      ...file.agent_roles,
    },
    prompts: { ask: 'Q: {{ data }}', plain: 'Q', ...file.prompts },
    ...(file.use ? { use: file.use } : {}),
    workflows: { flow: { steps, ...flow }, ...file.workflows },
  };
}

/** A step in which an agent is asked about a variable. */
export function ask(
  id: string,
  from: string,
  to: string = id,
  agent = 'a',
): {
  readonly id: string;
  readonly type: 'agent_interaction';
  readonly agent_id: string;
  readonly prompt_id: string;
  readonly input_variables: { readonly data: string };
  readonly output_variable: string;
} {
  return {
    id,
    type: 'agent_interaction',
    agent_id: agent,
    prompt_id: 'ask',
    input_variables: { data: from },
    output_variable: to,
  };
}

/** An agent of a parallel step, which is asked about a variable. */
export function part(agent: string, from: string, to: string = agent): ParallelAgent {
  return {
    agent_id: agent,
    prompt_id: 'ask',
    input_variables: { data: from },
    output_variable: to,
  };
}

/** All events of a run. */
export async function eventsOf(run: WorkflowRun): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}

/** `step:ended draft#1`, a line for each event but the deltas. */
export function courseOf(events: readonly RunEvent[]): string[] {
  return events
    .filter(({ type }) => type !== 'step:delta')
    .map((event) => ('path' in event ? `${event.type} ${event.path}` : event.type));
}

/** What a promise is rejected with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string;
  }
}
