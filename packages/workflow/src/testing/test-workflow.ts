import { WorkflowEngine } from '../engine/workflow-engine.ts';
import { WorkflowError } from '../errors.ts';
import type { RunEvent } from '../events.ts';
import type { ModelCallPlace, WorkflowSource } from '../options.ts';
import { answering } from './answers.ts';
import { openCassettes } from './cassettes.ts';
import { answerPeople } from './people.ts';
import { scriptedRegistry } from './scripted-registry.ts';
import { simulating } from './simulation.ts';
import { CallLog, type TestCall } from './test-call.ts';
import type { TestedRun, TestWorkflowOptions } from './test-options.ts';

/**
 * Runs a workflow to its end, with models that say what they are told, late and with failures where that is
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
  const { workflow, input, answers, cassettes, simulate, people = {}, ...rest } = options;
  const { promptSet, signal, budget, runId = 'test', ...given } = rest;
  const log = new CallLog();
  const tape = cassettes && (await openCassettes(cassettes));
  const isRecording = cassettes?.mode === 'record';
  const late = simulate && simulating(simulate, log);
  const told = answers && answering(answers, log);
  try {
    await using engine = await WorkflowEngine.open({
      defaultModel: 'scripted:model',
      ...(isRecording ? {} : { models: scriptedRegistry }),
      ...given,
      files,
      layers: (place: ModelCallPlace) => [
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
    const events: RunEvent[] = [];
    const watching = watch(run, events, answerPeople(engine, run, people));
    const end = await run.result.then(
      ({ output }) => ({ status: 'done' as const, output }),
      (error: unknown) => ({ status: statusOf(error), output: null, error }),
    );
    await watching;
    return { runId, ...end, events, calls: log.calls, prompts: promptsOf(log.calls) };
  } finally {
    await tape?.close();
  }
}
