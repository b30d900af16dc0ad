import { textOf, type ChatRequest } from '@vizprompt/providers';
import {
  scriptedModel,
  type ScriptedAnswer,
  type ScriptedModel,
} from '@vizprompt/providers/testing';
import type { RunEvent, WorkflowFile, WorkflowRun } from '@vizprompt/workflow';
import type { ParallelAgent } from '../../../src/definition/agent-call.ts';

/** Returns the question of a request, without the system prompt. */
export function questionOf(request: ChatRequest): string {
  return request.messages
    .filter(({ role }) => role === 'user')
    .map((message) => textOf(message))
    .join('\n');
}

/** Returns a model that answers by its question. */
export function answering(
  answer: (question: string, call: number) => ScriptedAnswer | Promise<ScriptedAnswer>,
  modelId = 'script',
): ScriptedModel {
  return scriptedModel((request, call) => answer(questionOf(request), call), { modelId });
}

/** Returns a file with one agent and prompts by their names, for steps that are given. */
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

/** Returns a step in which an agent is asked about a variable. */
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

/** Returns an agent of a parallel step, which is asked about a variable. */
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

/** Returns the error of a promise that rejects. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}
