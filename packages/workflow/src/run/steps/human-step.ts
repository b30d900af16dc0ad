import type { JsonValue } from '@vizprompt/providers';
import { toMs } from '../../definition/duration.ts';
import type { HumanStep } from '../../definition/step.ts';
import { WorkflowError } from '../../errors.ts';
import { renderPrompt } from '../../language/template.ts';
import { toErrorJson, isFatal, stepFailed } from '../failure.ts';
import { WorkTurn } from '../../record/work-turn.ts';
import { namedInputs } from '../named-inputs.ts';
import { policiesOf } from '../policies-of.ts';
import { toQuestion } from '../question.ts';
import type { Place, Thread } from '../thread.ts';

/** Waits for a person. */
export async function runHuman(
  thread: Thread,
  step: HumanStep,
  { name, path, stepId }: Place,
): Promise<JsonValue> {
  const { scope, services, variables } = thread;
  const { definition, engine, tell, clock, record, runId } = services;
  const template = definition.prompts[step.prompt_id];
  if (template === undefined) {
    throw new WorkflowError('not-found', `there is no prompt '${step.prompt_id}'`);
  }
  const question = renderPrompt(template, namedInputs(step.input_variables, variables));
  const { timeout } = policiesOf(
    definition,
    step.timeout === undefined ? {} : { timeout: step.timeout },
  );
  const startedAt = engine.now();
  const known = scope.known?.(name);
  const isReplayed = known !== undefined;
  const { follows } = thread;
  const input = (): JsonValue => question;
  const turn =
    record && new WorkTurn(record, { path, follows, speaker: 'person', input, startedAt });
  const rest = clock.ask();
  try {
    if (!isReplayed) await turn?.began();
    const value = await scope.waitFor(name, toQuestion(stepId, question, step.output?.schema), {
      asked: () => tell('step:waiting', { path, stepId, question }),
      ...(timeout?.total === undefined ? {} : { untilMs: startedAt + toMs(timeout.total) }),
    });
    if (!isReplayed) tell('step:answered', { path, stepId, value });
    const endedAt = engine.now();
    await turn?.ended({ status: 'done', output: value }, known ?? { startedAt, endedAt });
    tell('step:ended', { path, stepId, output: value, isReplayed, ms: endedAt - startedAt });
    thread.follows = [path];
    return value;
  } catch (error) {
    const endedAt = engine.now();
    if (isFatal(error)) {
      // Where the engine was closed, the question stands.
      if (error.code !== 'closed') await turn?.brokenOff(toErrorJson(error), endedAt);
      throw error;
    }
    const failure = stepFailed({ runId, path, stepId }, error);
    const json = toErrorJson(failure);
    tell('step:failed', { path, stepId, error: json });
    await turn?.ended({ status: 'failed', error: json }, { startedAt, endedAt });
    throw failure;
  } finally {
    rest();
  }
}
