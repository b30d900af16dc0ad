import { createHash } from 'node:crypto';
import { canonicalJson } from '@vizprompt/providers';
import type { AgentCall } from '../definition/agent-call.ts';
import type { Definitions } from '../definition/definitions.ts';
import type { Pinned, PinnedDefinition } from '../definition/pinned-definition.ts';
import type { Retry, Timeout } from '../definition/policies.ts';
import { agentCalls, allSteps } from '../definition/walk-steps.ts';
import type { Named, WorkflowDefinition } from '../definition/workflow-file.ts';
import { WorkflowError } from '../errors.ts';
import { choosePromptSet } from './prompt-set.ts';

/**
 * All that a run of a workflow needs of the files, and its hash.
 *
 * @param promptSet - Default: `'default'`, or the only one.
 * @throws WorkflowError with the code `not-found` for a workflow, a prompt set, a role or a prompt that is not
 * there, with the names of those that are.
 */
export function pinDefinition(
  definitions: Definitions,
  workflow: string,
  promptSet?: string,
): Pinned {
  const workflows = reachable(definitions, workflow);
  const chosen = choosePromptSet(definitions.promptSets, promptSet);
  const roles = new Map<string, unknown>();
  const prompts = new Map<string, unknown>();
  const used = new UsedNames(definitions.use);
  for (const [name, { steps }] of workflows) {
    for (const { step } of allSteps(steps)) {
      const place = `step '${step.id}' of '${name}'`;
      for (const { call } of agentCalls(step)) {
        const role = found('role', call.agent_id, chosen.set.agent_roles, place, chosen.name);
        roles.set(call.agent_id, role);
        prompts.set(
          call.prompt_id,
          found('prompt', call.prompt_id, chosen.set.prompts, place, chosen.name),
        );
        used.add(call);
        used.add({ model: role.model });
      }
      if (step.type === 'human') {
        prompts.set(
          step.prompt_id,
          found('prompt', step.prompt_id, chosen.set.prompts, place, chosen.name),
        );
      }
      used.add(step);
    }
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what was put together above
  const definition = canonicalJson({
    name: workflow,
    workflows: Object.fromEntries(workflows),
    promptSet: chosen.name,
    agent_roles: Object.fromEntries(roles),
    prompts: Object.fromEntries(prompts),
    use: used.named(),
  }) as unknown as PinnedDefinition;
  const hash = createHash('sha256').update(JSON.stringify(definition)).digest('hex');
  return { definition, hash };
}

/** The workflow, and those that it runs as subflows. */
function reachable(
  { workflows }: Definitions,
  start: string,
): ReadonlyMap<string, WorkflowDefinition> {
  const result = new Map<string, WorkflowDefinition>();
  const open: { name: string; place: string }[] = [{ name: start, place: '' }];
  for (const { name, place } of open) {
    if (result.has(name)) continue;
    const workflow = found('workflow', name, workflows, place);
    result.set(name, workflow);
    for (const { step } of allSteps(workflow.steps)) {
      if (step.type !== 'subflow') continue;
      open.push({ name: step.workflow, place: `step '${step.id}' of '${name}'` });
    }
  }
  return result;
}

function found<Value>(
  what: string,
  name: string,
  all: Readonly<Record<string, Value>>,
  place: string,
  promptSet?: string,
): Value {
  const value = Object.hasOwn(all, name) ? all[name] : undefined;
  if (value !== undefined) return value;
  const set = promptSet === undefined ? '' : ` in the prompt set '${promptSet}'`;
  const names = Object.keys(all);
  const there = names.length === 0 ? 'there is none' : `there is: ${names.join(', ')}`;
  throw new WorkflowError(
    'not-found',
    `there is no ${what} '${name}'${set}${place === '' ? '' : ` (${place})`}; ${there}`,
    { context: { [what]: name, names, ...(promptSet === undefined ? {} : { promptSet }) } },
  );
}

/** Collects what is used of `use`. */
class UsedNames {
  readonly #use: Named;
  readonly #retries = new Map<string, Retry>();
  readonly #timeouts = new Map<string, Timeout>();
  readonly #models = new Map<string, string>();

  constructor(use: Named) {
    this.#use = use;
  }

  add(user: object): void {
    const { retry, timeout, model, fallback = [] }: Partial<AgentCall> = user;
    keep(this.#use.retries, retry, this.#retries);
    keep(this.#use.timeouts, timeout, this.#timeouts);
    for (const name of [model, ...fallback]) keep(this.#use.models, name, this.#models);
  }

  named(): Named {
    return {
      retries: Object.fromEntries(this.#retries),
      timeouts: Object.fromEntries(this.#timeouts),
      models: Object.fromEntries(this.#models),
    };
  }
}

function keep<Value>(
  all: Readonly<Record<string, Value>> | undefined,
  name: unknown,
  kept: Map<string, Value>,
): void {
  if (typeof name !== 'string' || !all || !Object.hasOwn(all, name)) return;
  const value = all[name];
  if (value !== undefined) kept.set(name, value);
}
