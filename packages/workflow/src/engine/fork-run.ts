import { createHash } from 'node:crypto';
import { type JsonObject } from '@vizprompt/providers';
import { nearestName } from '@vizprompt/providers/config';
import { canonicalJson } from '@vizprompt/providers/internal';
import { TEXT } from '@vizprompt/providers/config/internal';
import { checkArgument, checkValues } from '../check-options.ts';
import type { DefinitionSnapshot, HashedSnapshot } from '../definition/definition-snapshot.ts';
import type { Step } from '../definition/step.ts';
import { agentCalls, allSteps } from '../definition/walk-steps.ts';
import { WorkflowError } from '../errors.ts';
import type { RunHistory, StepRecord, StoredRun } from '../journal/journal.ts';
import { prepareLanguages } from '../language/condition.ts';
import { parsePrompt } from '../language/template.ts';
import { type ForkPoint, readTask, toJson } from '../run/execution-context.ts';
import { assertFits } from '../run/validate-input.ts';
import { undecidedFailures } from '../runtime/resume-history.ts';
import type { ForkChanges } from './engine-options.ts';

/** The beginning of a fork. */
interface ForkedRun extends HashedSnapshot {
  readonly task: JsonObject;
  readonly steps: readonly StepRecord[];
}

/**
 * Returns a run as it was before a step.
 *
 * @throws WorkflowError with the code `not-found` if the run has not come to such a path.
 */
export function forkRun(
  run: StoredRun,
  definition: DefinitionSnapshot,
  history: RunHistory,
  path: string,
  changes: ForkChanges,
): ForkedRun {
  const steps = stepsBefore(run, history, path);
  const changed = changedDefinition(definition, changes);
  const task = readTask(run.task);
  if (task.kind !== 'run') throw new TypeError(`'${run.id}' is no run`);
  const before = task.forks.filter((fork) =>
    steps.some((step) => isAtOrBelow(step.path, fork.path)),
  );
  const same = task.forks.find((fork) => fork.path === path);
  const point: ForkPoint = {
    path,
    variables: { ...same?.variables, ...changes.variables },
    ...(changes.output === undefined ? {} : { output: changes.output }),
  };
  return { ...changed, task: toJson({ ...task, forks: [...before, point] }), steps };
}

/** Returns the steps that cannot depend on the one at a path: they had begun before it ended. */
function stepsBefore(run: StoredRun, { steps, waits }: RunHistory, path: string): StepRecord[] {
  const own = steps.filter((step) => isAtOrBelow(step.path, path));
  if (own.length === 0) {
    const failed = run.error?.context['path'];
    const isOpen =
      waits.some((wait) => isAtOrBelow(wait.path, path)) ||
      (typeof failed === 'string' && isAtOrBelow(failed, path));
    if (isOpen) return [...steps];
    const known = [...new Set(steps.map((step) => step.path))];
    const shown =
      known.length > 20 ? `${known.slice(-20).join(', ')} (the last 20)` : known.join(', ');
    throw new WorkflowError(
      'not-found',
      `the run '${run.id}' has not come to '${path}'; it has come to: ${shown || 'nothing'}`,
      { context: { runId: run.id, path } },
    );
  }
  const ended = own.reduce((most, { seq }) => Math.max(most, seq), 0);
  const again = new Set(undecidedFailures(steps));
  return steps.filter(
    ({ path: other, begun }) => begun < ended && !isAtOrBelow(other, path) && !again.has(other),
  );
}

function isAtOrBelow(path: string, above: string): boolean {
  if (!path.startsWith(above)) return false;
  const next = path[above.length];
  return next === undefined || next === '/' || next === ':';
}

function changedDefinition(definition: DefinitionSnapshot, changes: ForkChanges): HashedSnapshot {
  const changed: DefinitionSnapshot = {
    ...definition,
    prompts: { ...definition.prompts, ...changes.prompts },
    use: {
      ...definition.use,
      models: { ...definition.use.models, ...changes.models },
    },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a definition is plain JSON
  const canonical = canonicalJson(changed) as unknown as DefinitionSnapshot;
  const hash = createHash('sha256').update(JSON.stringify(canonical)).digest('hex');
  return { definition: canonical, hash };
}

/**
 * Refuses changes of a fork that would only be noticed in its run, or never.
 *
 * @throws WorkflowError with the code `not-found` for a prompt or a model that the run does not have,
 * `template-failed` for a prompt that cannot be read, and `invalid-input`.
 */
export async function checkChanges(
  definition: DefinitionSnapshot,
  path: string,
  { prompts, models, output }: ForkChanges,
): Promise<void> {
  checkArgument('the path of a step', path, TEXT);
  checkValues('the prompts of fork', prompts, TEXT);
  checkValues('the models of fork', models, TEXT);
  assertKnown('prompt', Object.keys(prompts ?? {}), Object.keys(definition.prompts));
  const names = modelNames(definition);
  if (names) assertKnown('model', Object.keys(models ?? {}), names);
  await prepareLanguages();
  for (const template of Object.values(prompts ?? {})) parsePrompt(template);
  const schema = output === undefined ? undefined : schemaAt(definition, path);
  if (schema && output !== undefined) await assertFits(schema, output, `the output of '${path}'`);
}

function assertKnown(
  kind: 'prompt' | 'model',
  given: readonly string[],
  known: readonly string[],
): void {
  for (const name of given) {
    if (known.includes(name)) continue;
    const nearest = nearestName(name, known);
    const hint = nearest === undefined ? '' : `is '${nearest}' meant? `;
    const message = `'${name}' is no ${kind} of the run: ${hint}it has ${known.join(', ') || 'none'}`;
    throw new WorkflowError('not-found', message, { context: { [kind]: name, nearest } });
  }
}

/** Returns the names of models, as they are in files; nothing where an agent takes the default of the engine. */
function modelNames(definition: DefinitionSnapshot): readonly string[] | undefined {
  const roles = definition.agent_roles;
  const names = new Set(Object.entries(definition.use.models ?? {}).flat());
  for (const { steps } of Object.values(definition.workflows)) {
    for (const { call } of [...allSteps(steps)].flatMap(({ step }) => agentCalls(step))) {
      const model = call.model ?? roles[call.agent_id]?.model;
      if (model === undefined) return undefined;
      for (const name of [model, ...(call.fallback ?? [])]) names.add(name);
    }
  }
  return [...names];
}

/**
 * Checks that a definition has the step at which a run continues.
 *
 * @throws WorkflowError with the code `not-found` and the steps that there are.
 */
export function assertStepAt(definition: DefinitionSnapshot, path: string): void {
  let workflow = definition.workflows[definition.name];
  let within = workflow?.steps ?? [];
  for (const segment of path.split('/')) {
    const [, id] = /^([^#]+)#\d+/.exec(segment) ?? [];
    if (id === undefined) continue;
    const steps = [...allSteps(within)].map(({ step }) => step);
    const step = steps.find((one) => one.id === id);
    if (!step) {
      const names = steps.map((one) => one.id);
      const nearest = nearestName(id, names);
      const hint = nearest === undefined ? '' : `is '${nearest}' meant? `;
      throw new WorkflowError(
        'not-found',
        `the files of the engine have no step '${id}' at '${path}': ${hint}there is: ${names.join(', ')}`,
        { context: { path, step: id, nearest } },
      );
    }
    if (step.type === 'subflow') {
      workflow = definition.workflows[step.workflow];
      within = workflow?.steps ?? [];
    }
  }
}

/** Finds the schema of an answer at a path; paths of parts of a step name no step of their own. */
function schemaAt(definition: DefinitionSnapshot, path: string): JsonObject | undefined {
  let workflow = definition.workflows[definition.name];
  let step: Step | undefined;
  for (const segment of path.split('/')) {
    const [, id] = /^(.+)#\d+$/.exec(segment) ?? [];
    step = [...allSteps(workflow?.steps ?? [])].find((one) => one.step.id === id)?.step;
    if (step?.type === 'subflow') workflow = definition.workflows[step.workflow];
  }
  if (step?.type === 'agent_interaction' || step?.type === 'human') return step.output?.schema;
  return undefined;
}
