import type { JsonValue } from '@vizprompt/providers';
import type { Answer } from '../../aggregate/answer.ts';
import type { MultiAgentStep } from '../../definition/step.ts';
import { aggregateAnswers } from '../aggregate-answers.ts';
import { namedInputs } from '../named-inputs.ts';
import { runParallel, type ParallelPart, type PartEnd } from '../parallel.ts';
import { setPartErrors } from '../part-errors.ts';
import { partNames } from '../part-names.ts';
import { readPart, toJson } from '../tasks.ts';
import { forkAt, type Place, type Thread } from '../thread.ts';

/** Several agents answer at the same time. */
export async function runMultiAgent(
  thread: Thread,
  step: MultiAgentStep,
  place: Place,
): Promise<JsonValue> {
  const { scope, variables, services, forks } = thread;
  const isFirstSuccess = strategyOf(step) === 'firstSuccess';
  const mode = isFirstSuccess ? { quorum: 1 } : (step.failureMode ?? 'failFast');
  const names = partNames(step.agents_to_run);
  const followed: (readonly string[])[] = [];
  const parts = step.agents_to_run.map((call, at): ParallelPart => {
    const name = names[at] ?? String(at);
    return {
      name,
      async run(signal) {
        await services.counter.begin(`${place.path}/${name}`);
        const changes = forkAt(thread, `${place.path}/${name}`)?.variables;
        const task = toJson({
          kind: 'agent',
          workflow: thread.workflow,
          stepId: step.id,
          at,
          inputs: namedInputs(call.input_variables, { ...variables, ...changes }),
          forks,
          keepsFailures: thread.keepsFailures || mode !== 'failFast',
          follows: thread.follows,
        });
        const result = readPart(await scope.child(`${place.name}/${name}`, task, { signal }));
        followed[at] = result.follows;
        return result.output;
      },
    };
  });
  const ends = await runParallel(thread, place, parts, {
    mode,
    maxConcurrency: step.maxConcurrency,
  });
  setPartErrors(variables, step.id, parts, ends);
  for (const [at, { output_variable: name }] of step.agents_to_run.entries()) {
    if (name !== undefined) variables[name] = valueOf(ends[at]);
  }
  const follows = followed.flat();
  if (follows.length > 0) thread.follows = follows;
  const { aggregate } = step;
  if (aggregate === undefined) {
    return Object.fromEntries(ends.map((end, at) => [names[at] ?? '', valueOf(end)]));
  }
  const answers = ends.flatMap((end, at): Answer[] =>
    end.status === 'done'
      ? [{ name: names[at] ?? '', value: end.value, weight: step.agents_to_run[at]?.weight ?? 1 }]
      : [],
  );
  return aggregateAnswers(thread, place, aggregate, answers);
}

function strategyOf({ aggregate }: MultiAgentStep): string | undefined {
  return typeof aggregate === 'object' ? aggregate.strategy : aggregate;
}

function valueOf(end: PartEnd | undefined): JsonValue {
  return end?.status === 'done' ? end.value : null;
}
