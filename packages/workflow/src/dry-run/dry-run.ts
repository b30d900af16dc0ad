import {
  createTokenEstimator,
  type JsonObject,
  type JsonValue,
  messageOf,
} from '@vizprompt/providers';
import { checkPrices } from '../calls/usage-meter.ts';
import { checkOptions } from '../check-options.ts';
import type { AgentCall, InputVariables } from '../definition/agent-call.ts';
import { freezeDefinition, type HashedSnapshot } from '../definition/definition-snapshot.ts';
import type { Step } from '../definition/step.ts';
import { teamRules } from '../definition/team.ts';
import { agentCalls, bodiesOf } from '../definition/walk-steps.ts';
import type { Definitions } from '../definition/workflow-file.ts';
import { evaluate, prepareLanguages } from '../language/condition.ts';
import { renderPrompt } from '../language/template.ts';
import { hasValueAt, valueAt } from '../language/variable-path.ts';
import { startOf } from '../lint/flow-graph.ts';
import { namesIn } from '../load/variable-uses.ts';
import { type DefinitionSources, loadDefinitions, SOURCE_KINDS } from '../load/load-definitions.ts';
import { assertFits, toJsonInput } from '../run/validate-input.ts';
import {
  combine,
  DRY_RUN_KINDS,
  type DryRun,
  type DryRunOptions,
  type DryRunPrice,
  type DryRunPrompt,
  either,
  type Estimate,
  estimateWays,
  FREE,
  NOTHING,
  plus,
  type Range,
  repeated,
} from './dry-run-result.ts';
import { placeholder, sampleAnswers, sampleTeam, sampleVariables } from './sample.ts';

/**
 * Renders every prompt that a workflow can reach with an input, and estimates the usage of a run at least and at
 * most: over all branches, loops of one to `maxRounds` rounds, lists of known or assumed length, and answers of one
 * token to `maxOutputTokens`. No model is called. Retries, repairs and fallbacks are not counted, and errors lead
 * nowhere.
 *
 * @throws WorkflowError with the codes of `WorkflowEngine.open` and `start`, and `not-found` for a workflow, a prompt set or
 * what it lacks.
 *
 * @example
 * ```ts
 * const { prompts, inputTokens, costUsd } = await dryRun({ files: 'flows.yaml' }, 'story', 'a cat', { prices });
 * ```
 */
export async function dryRun(
  sources: DefinitionSources,
  workflow: string,
  input: JsonValue,
  options: DryRunOptions = {},
): Promise<DryRun> {
  checkOptions('dryRun', sources, SOURCE_KINDS);
  return dryRunDefinitions(await loadDefinitions(sources), workflow, input, options);
}

/** Refuses options of a dry run that are wrong: WorkflowError with the code `invalid-input`. */
export function checkDryRunOptions(options: DryRunOptions): void {
  checkOptions('dryRun', options, DRY_RUN_KINDS);
}

/** As {@link dryRun}, of what is loaded already. */
export async function dryRunDefinitions(
  definitions: Definitions,
  workflow: string,
  input: JsonValue,
  options: DryRunOptions = {},
): Promise<DryRun> {
  checkDryRunOptions(options);
  checkPrices(options.prices);
  const userInput = toJsonInput(input);
  await prepareLanguages();
  const runner = new DryRunner(definitions, workflow, options);
  const inputs = definitions.workflows[workflow]?.inputs;
  if (inputs) await assertFits(inputs, userInput, `user_input of '${workflow}'`);
  return runner.run(userInput);
}

/** Tokens of an answer, as budgets reserve them. */
const USUAL_OUTPUT = 1000;
const USUAL_ITEMS: Range = { min: 0, max: 10 };
const ONE_CALL: Range = { min: 1, max: 1 };

/** Goes through a workflow without running it. */
class DryRunner {
  readonly #pinned: HashedSnapshot;
  readonly #options: DryRunOptions;
  readonly #estimator = createTokenEstimator();
  readonly #prompts: DryRunPrompt[] = [];
  readonly #unpriced = new Set<string>();
  readonly #withoutModel = new Set<string>();
  readonly #unbounded = new Set<string>();

  constructor(definitions: Definitions, workflow: string, options: DryRunOptions) {
    this.#pinned = freezeDefinition(definitions, workflow, options.promptSet);
    this.#options = options;
  }

  run(input: JsonValue): DryRun {
    const { definition, hash } = this.#pinned;
    const estimate = this.#workflow(definition.name, input, []);
    return {
      workflow: definition.name,
      promptSet: definition.promptSet,
      hash,
      prompts: this.#prompts,
      ...estimate,
      unpriced: [...this.#unpriced],
      withoutModel: [...this.#withoutModel],
      unbounded: [...this.#unbounded],
    };
  }

  #workflow(name: string, input: JsonValue, around: readonly string[]): Estimate {
    const workflow = this.#pinned.definition.workflows[name];
    if (!workflow) return FREE;
    const scope = { name, variables: sampleVariables(workflow, input), around: [...around, name] };
    return this.#list(workflow.steps, startOf(workflow.steps, workflow.initial_step), scope);
  }

  #list(steps: readonly Step[], start: number, scope: Scope): Estimate {
    const { estimate, cycles } = estimateWays(steps, start, (step) => this.#step(step, scope));
    for (const id of cycles) this.#unbounded.add(id);
    return estimate;
  }

  #step(step: Step, scope: Scope): Estimate {
    const estimate = this.#always(step, scope);
    return step.when === undefined ? estimate : repeated(estimate, { min: 0, max: 1 });
  }

  #always(step: Step, scope: Scope): Estimate {
    switch (step.type) {
      case 'loop': {
        const rounds = { min: step.until === undefined ? step.maxRounds : 1, max: step.maxRounds };
        return repeated(this.#list(step.steps, 0, scope), rounds);
      }
      case 'foreach': {
        const { count, first } = this.#items(step, scope);
        const variables = { ...scope.variables, [step.as]: first };
        return repeated(this.#list(step.steps, 0, { ...scope, variables }), count);
      }
      case 'parallel':
        return bodiesOf(step)
          .map(({ steps }) => this.#list(steps, 0, scope))
          .reduce((sum, one) => combine(sum, one, plus), FREE);
      case 'subflow': {
        if (scope.around.includes(step.workflow)) {
          this.#unbounded.add(step.id);
          return FREE;
        }
        const given = orPaths(step.input_variables, scope.variables);
        const isInput = Object.keys(given).join('') === 'user_input';
        return this.#workflow(
          step.workflow,
          isInput ? (given['user_input'] ?? null) : given,
          scope.around,
        );
      }
      case 'human': {
        const { text, problem } = rendered(
          this.#template(step.prompt_id),
          step.input_variables,
          scope,
        );
        this.#add({ scope, step, text, problem, inputTokens: NOTHING, outputTokens: NOTHING });
        return FREE;
      }
      case 'team': {
        const [first = FREE, ...others] = this.#calls(step, scope);
        const turn = others.reduce((sum, one) => combine(sum, one, either), first);
        return repeated(turn, { min: 1, max: teamRules(step).maxTurns });
      }
      default:
        return this.#calls(step, scope).reduce((sum, one) => combine(sum, one, plus), FREE);
    }
  }

  #calls(step: Step, scope: Scope): readonly Estimate[] {
    return agentCalls(step).map(({ call, path }) => {
      if (step.type === 'team') return this.#call(step, call, { team: sampleTeam(step) }, scope);
      const isAsked = path[0] === 'aggregate';
      return this.#call(step, call, isAsked ? { answers: sampleAnswers(step) } : {}, scope);
    });
  }

  /** The length of a list and its first item, where they depend on the input only. */
  #items(
    step: Extract<Step, { type: 'foreach' }>,
    { variables }: Scope,
  ): { readonly count: Range; readonly first: JsonValue } {
    const unknown = { count: this.#options.items ?? USUAL_ITEMS, first: placeholder(step.as) };
    if (namesIn(step.in).some(({ name }) => name !== 'user_input')) return unknown;
    try {
      const list = evaluate(step.in, variables);
      if (!Array.isArray(list)) return unknown;
      return { count: { min: list.length, max: list.length }, first: list[0] ?? unknown.first };
    } catch {
      return unknown;
    }
  }

  #call(step: Step, call: AgentCall, extra: JsonObject, scope: Scope): Estimate {
    const { agent_roles: roles, use } = this.#pinned.definition;
    const role = roles[call.agent_id];
    const named = call.model ?? role?.model ?? this.#options.defaultModel;
    const model = named === undefined ? undefined : (use.models?.[named] ?? named);
    const names = Object.keys(extra);
    // A copy of all variables for each call would take the square of the steps.
    const variables = names.length === 0 ? scope.variables : { ...scope.variables, ...extra };
    const own = Object.fromEntries(names.map((name) => [name, name]));
    const inputs = { ...own, ...call.input_variables };
    const template = this.#template(call.prompt_id);
    const { text, problem } = rendered(template, inputs, { ...scope, variables });
    const most = this.#options.outputTokens ?? USUAL_OUTPUT;
    const system = role?.system_prompt ?? '';
    const outputTokens = { min: 1, max: call.maxOutputTokens ?? most };
    const inputTokens = this.#tokens(`${system}\n${text}`, most);
    const price = this.#price(model, call.agent_id);
    const costUsd = price && {
      min: (inputTokens.min * price.inputPerMillion + price.outputPerMillion) / 1e6,
      max:
        (inputTokens.max * price.inputPerMillion + outputTokens.max * price.outputPerMillion) / 1e6,
    };
    this.#add({
      scope,
      step,
      agent: call.agent_id,
      model,
      system,
      text,
      problem,
      inputTokens,
      outputTokens,
      costUsd,
    });
    return { calls: ONE_CALL, inputTokens, outputTokens, costUsd: costUsd ?? NOTHING };
  }

  #price(model: string | undefined, agent: string): DryRunPrice | undefined {
    if (model === undefined) {
      this.#withoutModel.add(agent);
      return undefined;
    }
    const { prices = {} } = this.#options;
    const key = modelId(model);
    const price = Object.hasOwn(prices, key) ? prices[key] : undefined;
    if (!price) this.#unpriced.add(key);
    return price;
  }

  /** The placeholder of an answer is nothing at least, and an answer at most. */
  #tokens(text: string, most: number): Range {
    const places = text.match(/⟨[^⟨⟩]+⟩/g)?.length ?? 0;
    const known = this.#estimator.count(text.replaceAll(/⟨[^⟨⟩]+⟩/g, '')).tokens;
    return { min: known, max: known + places * most };
  }

  #template(id: string): string {
    return this.#pinned.definition.prompts[id] ?? '';
  }

  #add(found: Found): void {
    const { scope, step, agent, model, system, text, problem, inputTokens, outputTokens, costUsd } =
      found;
    const prompt: DryRunPrompt = {
      workflow: scope.name,
      stepId: step.id,
      ...(agent === undefined ? {} : { agent }),
      ...(model === undefined ? {} : { model }),
      ...(system === undefined ? {} : { system }),
      prompt: text,
      ...(problem === undefined ? {} : { problem }),
      inputTokens,
      outputTokens,
      ...(costUsd && { costUsd }),
    };
    this.#prompts.push(prompt);
  }
}

/** Where a step is looked at. */
interface Scope {
  readonly name: string;
  readonly variables: JsonObject;
  /** The workflows that run it as a subflow, and its own. */
  readonly around: readonly string[];
}

interface Found {
  readonly scope: Scope;
  readonly step: Step;
  readonly agent?: string;
  readonly model?: string | undefined;
  readonly system?: string;
  readonly text: string;
  readonly problem: string | undefined;
  readonly inputTokens: Range;
  readonly outputTokens: Range;
  readonly costUsd?: Range | undefined;
}

function rendered(
  template: string,
  inputs: InputVariables | undefined,
  { variables }: Scope,
): { readonly text: string; readonly problem: string | undefined } {
  try {
    return { text: renderPrompt(template, valuesOf(inputs, variables)), problem: undefined };
  } catch (error) {
    return { text: template, problem: messageOf(error) };
  }
}

/**
 * Unknown parts of an output are shown by their paths.
 *
 * @throws WorkflowError for what the input does not have.
 */
function valuesOf(inputs: InputVariables = {}, variables: JsonObject): JsonObject {
  const entries = Object.entries(inputs).map(([name, path]): [string, JsonValue] => {
    const isInput = path.split('.')[0] === 'user_input';
    const isThere = isInput || hasValueAt(path, variables);
    return [name, isThere ? valueAt(path, variables) : placeholder(path)];
  });
  return Object.fromEntries(entries);
}

/** Returns the same where it does not matter what the input lacks: the prompts below report that. */
function orPaths(inputs: InputVariables = {}, variables: JsonObject): JsonObject {
  const entries = Object.entries(inputs).map(([name, path]): [string, JsonValue] => [
    name,
    hasValueAt(path, variables) ? valueAt(path, variables) : placeholder(path),
  ]);
  return Object.fromEntries(entries);
}

function modelId(model: string): string {
  return model.slice(model.indexOf(':') + 1);
}
