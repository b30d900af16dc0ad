import type { JsonObject, TurnRecorder } from '@vizprompt/providers';
import type { ErrorJson } from '@vizprompt/providers/internal';
import type { DefinitionSnapshot } from '../definition/definition-snapshot.ts';
import type { RunHistory, StepRecord, StoredRun } from '../journal/journal.ts';
import type { PageStep, RunPage } from '../report/run-html.ts';
import type { EngineServices } from '../run/execution-context.ts';
import { RunRecord } from '../run/run-record.ts';
import { RunUsage } from '../runtime/active-run.ts';
import { variablesOf, viewRun } from './view-run.ts';

/** Returns all that a page shows of a run: the journal, and what steps were given, as a replay of it says. */
export async function pageOf(
  run: StoredRun,
  definition: DefinitionSnapshot,
  history: RunHistory,
  engine: EngineServices,
): Promise<Omit<RunPage, 'follow'>> {
  const { error, ...state } = await viewRun(run, definition, history, engine);
  const inputs = await inputsOf(run, definition, history, engine);
  return {
    ...state,
    ...(error === undefined ? {} : { error: error.message }),
    steps: history.steps.flatMap((step) => pageSteps(step, history.steps, inputs)),
  };
}

/** The end of the path of an agent's messages before calls of tools, which belong to its step. */
const ROUND = /^:round\d+$/;

function pageSteps(
  step: StepRecord,
  all: readonly StepRecord[],
  inputs: ReadonlyMap<string, string>,
): readonly PageStep[] {
  const { path, output, meta, startedAt, endedAt } = step;
  if (typeof meta['tool'] === 'string') {
    const { input, output: given, isError } = Object(output);
    const result = isError === true ? { output: null, error: String(given) } : { output: given };
    const text = typeof input === 'string' ? input : JSON.stringify(input ?? null, null, 2);
    return [{ path, type: meta['tool'], startedAt, endedAt, input: text, usage: {}, ...result }];
  }
  if (meta['isInner'] === true) return [];
  const rounds = all.filter(
    (one) => one.path.startsWith(path) && ROUND.test(one.path.slice(path.length)),
  );
  const usage = new RunUsage();
  for (const one of [step, ...rounds]) usage.add(one.meta);
  const input = inputs.get(path);
  const error = errorOf(meta);
  return [
    {
      path,
      type: typeof meta['type'] === 'string' ? meta['type'] : 'human',
      startedAt: Math.min(startedAt, ...rounds.map((one) => one.startedAt)),
      endedAt,
      ...(input === undefined ? {} : { input }),
      output,
      ...(error === undefined ? {} : { error }),
      ...(typeof meta['model'] === 'string' ? { model: meta['model'] } : {}),
      ...usage.total(),
    },
  ];
}

function errorOf({ error }: JsonObject): string | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by doWork
  return error === undefined ? undefined : (error as unknown as ErrorJson).message;
}

/** The journal does not have what steps were given: recorders receive it as the run is replayed. */
async function inputsOf(
  run: StoredRun,
  definition: DefinitionSnapshot,
  history: RunHistory,
  engine: EngineServices,
): Promise<ReadonlyMap<string, string>> {
  const inputs = new Map<string, string>();
  const recorder: TurnRecorder = {
    specVersion: 1,
    async record({ id, input }) {
      const text = input.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
      inputs.set(id, text);
    },
  };
  const record = new RunRecord({ runId: run.id, recorders: [recorder], failed: () => undefined });
  await variablesOf(run, definition, history, engine, record);
  await record.flush();
  return inputs;
}
