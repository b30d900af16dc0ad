import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { allSteps } from '../definition/walk-steps.ts';
import type { Step } from '../definition/step.ts';
import type { DurableScope } from '../runtime/durable-scope.ts';
import { WorkflowError } from '../errors.ts';
import { callAgent } from './call-agent.ts';
import { runItem } from './run-item.ts';
import { runSteps } from './run-steps.ts';
import { runWorkflow } from './run-workflow.ts';
import type { RunServices } from './services.ts';
import { readTask, toJson, type AgentTask, type ItemTask } from './tasks.ts';
import { ownVariables, placeOf, workflowNamed, type Thread } from './thread.ts';

/**
 * Does a task in a scope: the whole run, or a part of it that runs beside others. It decides by nothing but the
 * definition, the task and what the scope gives, so that after a crash the same happens again.
 *
 * @returns The output of a run, or a `PartResult`.
 */
export async function interpret(
  json: JsonObject,
  scope: DurableScope,
  services: RunServices,
): Promise<JsonValue> {
  const task = readTask(json);
  const { definition } = services;
  if (task.kind === 'run') {
    const start = {
      services,
      scope,
      runSteps,
      workflow: definition.name,
      prefix: '',
      keepsFailures: false,
      forks: task.forks,
      follows: [],
    };
    const workflow = workflowNamed(definition, definition.name);
    return (await runWorkflow(start, workflow, task.input, services.onVariables)).output;
  }
  const step = stepOf(services, task);
  const thread: Thread = {
    services,
    scope,
    runSteps,
    workflow: task.workflow,
    variables: ownVariables(task.kind === 'item' ? task.variables : {}),
    prefix: '',
    keepsFailures: task.keepsFailures,
    forks: task.forks,
    follows: task.follows,
  };
  if (task.kind === 'item') {
    if (step.type !== 'foreach') throw noSuchStep(task);
    const output = await runItem(thread, step);
    return toJson({ output, follows: thread.follows });
  }
  const call = step.type === 'multi_agent_interaction' ? step.agents_to_run[task.at] : undefined;
  if (!call) throw noSuchStep(task);
  const output = await callAgent(thread, placeOf(thread, step, ''), { call, inputs: task.inputs });
  return toJson({ output, follows: thread.follows });
}

function stepOf({ definition }: RunServices, task: AgentTask | ItemTask): Step {
  const { steps } = workflowNamed(definition, task.workflow);
  const step = byId(steps).get(task.stepId);
  if (step) return step;
  throw noSuchStep(task);
}

const known = new WeakMap<readonly Step[], ReadonlyMap<string, Step>>();

function byId(steps: readonly Step[]): ReadonlyMap<string, Step> {
  const found = known.get(steps);
  if (found) return found;
  const made = new Map([...allSteps(steps)].map(({ step }) => [step.id, step]));
  known.set(steps, made);
  return made;
}

function noSuchStep({ workflow, stepId }: AgentTask | ItemTask): WorkflowError {
  const message = `there is no such part of the step '${stepId}' in '${workflow}'`;
  return new WorkflowError('not-found', message, { context: { workflow, stepId } });
}
