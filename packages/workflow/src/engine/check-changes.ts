import type { JsonObject } from '@vizprompt/providers';
import { nearestName, TEXT } from '@vizprompt/providers/config';
import { checkArgument, checkValues } from '../arguments/check.ts';
import type { PinnedDefinition } from '../definition/pinned-definition.ts';
import type { Step } from '../definition/step.ts';
import { agentCalls, allSteps } from '../definition/walk-steps.ts';
import { WorkflowError } from '../errors.ts';
import { prepareLanguages } from '../language/prepare.ts';
import { parsePrompt } from '../language/template.ts';
import type { ForkChanges } from '../options.ts';
import { assertFits } from '../run/assert-fits.ts';

/**
 * Refuses changes of a fork that would only be noticed in its run, or never.
 *
 * @throws WorkflowError with the code `not-found` for a prompt or a model that the run does not have,
 * `template-failed` for a prompt that cannot be read, and `invalid-input`.
 */
export async function checkChanges(
  definition: PinnedDefinition,
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

/** The names of models, as they stand in files; nothing where an agent takes the default of the engine. */
function modelNames(definition: PinnedDefinition): readonly string[] | undefined {
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

/** What an answer at a path has to be; paths of parts of a step name no step of their own. */
function schemaAt(definition: PinnedDefinition, path: string): JsonObject | undefined {
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
