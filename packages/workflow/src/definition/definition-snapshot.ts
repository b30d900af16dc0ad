import { createHash } from 'node:crypto';
import { canonicalJson } from '@vizprompt/providers/internal';
import { WorkflowError } from '../errors.ts';
import type { AgentCall, AgentTool } from './agent-call.ts';
import type { Retry, Timeout } from './policies.ts';
import { agentCalls, allSteps, readToolReference, workflowsOf } from './walk-steps.ts';
import type {
  Definitions,
  McpServer,
  Named,
  PromptSet,
  WorkflowDefinition,
} from './workflow-file.ts';

/**
 * All that a run needs of the files, as plain JSON: it is stored with the run, so that edited files change
 * nothing of a run on its way. Only what the workflow can reach is in it.
 */
export interface DefinitionSnapshot {
  /** The workflow that was started. */
  readonly name: string;
  /** It, and those it runs as subflows. */
  readonly workflows: Readonly<Record<string, WorkflowDefinition>>;
  /** The name of the prompt set. */
  readonly promptSet: string;
  readonly agent_roles: PromptSet['agent_roles'];
  readonly prompts: PromptSet['prompts'];
  readonly use: Named;
}

/** A pinned definition and the SHA-256 (hex) of its canonical JSON. */
export interface HashedSnapshot {
  readonly definition: DefinitionSnapshot;
  readonly hash: string;
}

/**
 * All that a run of a workflow needs of the files, and its hash.
 *
 * @param promptSet - Default: `'default'`, or the only one.
 * @throws WorkflowError with the code `not-found` for a workflow, a prompt set, a role or a prompt that is not
 * there, with the names of those that are.
 */
export function freezeDefinition(
  definitions: Definitions,
  workflow: string,
  promptSet?: string,
): HashedSnapshot {
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
  }) as unknown as DefinitionSnapshot;
  return { definition, hash: hashOf(JSON.stringify(definition)) };
}

/** Returns the hash of a definition by its canonical JSON. */
export function hashOf(json: string): string {
  return createHash('sha256').update(json).digest('hex');
}

/** Returns the workflow, and those that it runs as subflows. */
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
      for (const own of workflowsOf(step)) {
        open.push({ name: own, place: `step '${step.id}' of '${name}'` });
      }
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
  readonly #servers = new Map<string, McpServer>();

  constructor(use: Named) {
    this.#use = use;
  }

  add(user: object): void {
    const { retry, timeout, model, fallback = [], tools = [] }: Partial<AgentCall> = user;
    keep(this.#use.retries, retry, this.#retries);
    keep(this.#use.timeouts, timeout, this.#timeouts);
    for (const name of [model, ...fallback]) keep(this.#use.models, name, this.#models);
    for (const given of tools) {
      const { tool, timeout: own }: Partial<AgentTool> =
        typeof given === 'string' ? { tool: given } : given;
      keep(this.#use.timeouts, own, this.#timeouts);
      const reference = readToolReference(tool ?? '');
      if (reference.kind === 'mcp') keep(this.#use.mcpServers, reference.name, this.#servers);
    }
  }

  named(): Named {
    return {
      retries: Object.fromEntries(this.#retries),
      timeouts: Object.fromEntries(this.#timeouts),
      models: Object.fromEntries(this.#models),
      ...(this.#servers.size > 0 ? { mcpServers: Object.fromEntries(this.#servers) } : {}),
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

/** The prompt set of workflows that need no prompts. */
const NONE: PromptSet = { agent_roles: {}, prompts: {} };

/**
 * Returns the prompt set of a name; without a name `default`, or the only one.
 *
 * @throws WorkflowError with the code `not-found` and the names that there are.
 */
function choosePromptSet(
  sets: Readonly<Record<string, PromptSet>>,
  name?: string,
): { readonly name: string; readonly set: PromptSet } {
  const names = Object.keys(sets);
  const [only] = names;
  const chosen = name ?? (names.length === 1 ? (only ?? 'default') : 'default');
  const set = Object.hasOwn(sets, chosen) ? sets[chosen] : undefined;
  if (set) return { name: chosen, set };
  if (name === undefined && names.length === 0) return { name: chosen, set: NONE };
  const there = names.length === 0 ? 'there is none' : `there is: ${names.join(', ')}`;
  const message =
    name === undefined
      ? `none of the prompt sets is called 'default': choose one by promptSet; ${there}`
      : `there is no prompt set '${name}'; ${there}`;
  throw new WorkflowError('not-found', message, { context: { promptSet: chosen, names } });
}
