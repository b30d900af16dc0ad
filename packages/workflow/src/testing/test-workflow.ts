import { type ChatModel, type JsonValue, LLMError, type ModelRegistry } from '@vizprompt/providers';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { createModelRegistry } from '@vizprompt/providers/registry';
import { scriptedModel } from '@vizprompt/providers/testing';
import type { ModelCallPlace } from '../calls/ask-agent.ts';
import type { GivenModels } from '../calls/model-chooser.ts';
import type { WorkflowSource } from '../definition/workflow-file.ts';
import { WorkflowEngine } from '../engine/workflow-engine.ts';
import { WorkflowError } from '../errors.ts';
import type { RunEvent, WorkflowEvents } from '../events.ts';
import { answering, CallLog, simulating, type TestCall } from './simulation.ts';
import {
  checkTestOptions,
  openCassettes,
  type PeopleAnswers,
  type TestedRun,
  type TestWorkflowOptions,
} from './test-options.ts';

/**
 * Runs a workflow to its end, with models that give the answers of the test, late and with failures where that is
 * wished, or that answer from what was recorded. Nothing is written but cassettes, unless a `storage` is given.
 *
 * @throws WorkflowError with the code `definition-invalid`, `not-found` or `invalid-input`. A run that fails does
 * not throw: its error is in the result.
 *
 * @example
 * ```ts
 * const { output, prompts } = await testWorkflow('flows.yaml', {
 *   input: 'a cat',
 *   answers: { writer: 'Once upon a time', critic: ({ prompt }) => `${prompt}!` },
 * });
 * ```
 */
export async function testWorkflow(
  files: WorkflowSource | readonly WorkflowSource[],
  options: TestWorkflowOptions,
): Promise<TestedRun> {
  checkTestOptions(options);
  const { workflow, input, answers, cassettes, simulate, people = {}, ...rest } = options;
  const { promptSet, signal, budget, runId = 'test', models, ...given } = rest;
  const isReal = !answers && (cassettes ? cassettes.mode === 'record' : models !== undefined);
  const log = new CallLog();
  const tape = cassettes && (await openCassettes(cassettes));
  const late = simulate && simulating(simulate, log);
  const told = answers && answering(answers, log);
  try {
    await using engine = await WorkflowEngine.open({
      defaultModel: 'scripted:model',
      ...defined(given),
      files,
      models: isReal ? namedModels(models) : silentModels(),
      middleware: (place: ModelCallPlace) => [
        log.layer(place),
        ...(late ? [late(place.path)] : []),
        ...(tape ? [tape.layer] : []),
        ...(told ? [told(place.path)] : []),
      ],
    });
    const run = await engine.start(workflow ?? onlyOne(engine.workflows), input, {
      runId,
      ...(promptSet === undefined ? {} : { promptSet }),
      ...(signal ? { signal } : {}),
      ...(budget ? { budget } : {}),
    });
    const persons = new People(people);
    const events: RunEvent[] = [];
    let unanswered: unknown;
    const ask = async (event: Extract<RunEvent, { type: 'step:waiting' }>): Promise<void> => {
      try {
        await engine.answer(runId, await persons.answer(event), { path: event.path });
      } catch (error) {
        if (isLate(error)) return;
        unanswered ??= error;
        run.cancel(error);
      }
    };
    for await (const event of run) {
      events.push(event);
      // A question may be over without its answer.
      if (event.type === 'step:waiting') void ask(event);
    }
    const end = await run.result.then(
      ({ output }) => ({ status: 'done' as const, output }),
      (error: unknown) => ({ status: statusOf(error), output: null, error: unanswered ?? error }),
    );
    return { runId, ...end, events, calls: log.calls, prompts: promptsOf(log.calls) };
  } finally {
    await tape?.close();
  }
}

/** Checks whether nothing waits for an answer any more, since the time for it was up or others came first. */
function isLate(error: unknown): boolean {
  return (
    WorkflowError.isInstance(error) && ['not-waiting', 'finished', 'closed'].includes(error.code)
  );
}

function statusOf(error: unknown): 'failed' | 'cancelled' {
  return WorkflowError.isInstance(error) && error.code === 'cancelled' ? 'cancelled' : 'failed';
}

function onlyOne(names: readonly string[]): string {
  const [name] = names;
  if (name !== undefined && names.length === 1) return name;
  throw new WorkflowError(
    'invalid-input',
    `say which workflow is tested: there are ${names.join(', ') || 'none'}`,
  );
}

function promptsOf(calls: readonly TestCall[]): Record<string, string[]> {
  const prompts = new Map<string, string[]>();
  for (const { stepId, prompt } of calls) {
    const known = prompts.get(stepId) ?? [];
    known.push(prompt);
    prompts.set(stepId, known);
  }
  return Object.fromEntries(prompts);
}

type Question = Pick<WorkflowEvents['step:waiting'], 'stepId' | 'path' | 'question'>;

/** People who give the answers of a test. */
class People {
  readonly #answers: Readonly<Record<string, PeopleAnswers>>;
  readonly #told = new Map<string, number>();

  /** @param answers - By the id of the step. */
  constructor(answers: Readonly<Record<string, PeopleAnswers>>) {
    this.#answers = answers;
  }

  /** @throws WorkflowError with the code `invalid-input` if there is no answer. */
  async answer({ stepId, path, question }: Question): Promise<JsonValue> {
    const given = Object.hasOwn(this.#answers, stepId) ? this.#answers[stepId] : undefined;
    if (typeof given === 'function') return given(question, path);
    const number = this.#told.get(stepId) ?? 0;
    this.#told.set(stepId, number + 1);
    const answer = given?.[number];
    if (answer !== undefined) return answer;
    const has = given ? `has ${given.length} answers` : 'is missing';
    throw new WorkflowError(
      'invalid-input',
      `a person was asked by '${path}' and does not answer: people['${stepId}'] ${has}; the question was: ${question}`,
      { context: { path, stepId } },
    );
  }
}

/** Models of any name that have nothing to say of their own: layers answer for them. */
function silentModels(): ModelRegistry {
  return registryOf((name) => {
    const nothing = (): LLMError =>
      new LLMError('unsupported', `'${name}' is scripted, and no answers were given`);
    return scriptedModel(nothing, namesOf(name));
  });
}

/**
 * Models that are called as the files call them, wherever they are asked: so that what is recorded of them is found
 * again without them.
 */
function namedModels(given: GivenModels | undefined): ModelRegistry {
  const registry = isRegistry(given) ? given : given ? undefined : createModelRegistry();
  return registryOf((name) => {
    const model = registry ? registry.model(name) : own(given, name);
    return {
      ...namesOf(name),
      specVersion: 1,
      capabilities: model.capabilities,
      stream: (request) => model.stream(request),
      generate: (request) => model.generate(request),
    };
  });
}

function registryOf(model: (name: string) => ChatModel): ModelRegistry {
  return {
    specVersion: 1,
    model,
    embeddings(name) {
      throw new LLMError('unsupported', `'${name}': workflows ask no embedding models`);
    },
  };
}

function namesOf(name: string): { readonly provider: string; readonly modelId: string } {
  const [, provider = 'model', modelId = name] = /^([^:]+):(.+)$/s.exec(name) ?? [];
  return { provider, modelId };
}

function own(given: object | undefined, name: string): ChatModel {
  const model: unknown = given && Object.hasOwn(given, name) ? Reflect.get(given, name) : undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the values of the option
  if (model) return model as ChatModel;
  const names = Object.keys(given ?? {}).join(', ') || 'none';
  throw new LLMError('not_found', `there is no model '${name}'; there is: ${names}`);
}

function isRegistry(given: GivenModels | undefined): given is ModelRegistry {
  return given !== undefined && typeof Reflect.get(given, 'model') === 'function';
}
