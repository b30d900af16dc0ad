import type { JsonValue } from '@vizprompt/providers';
import type { Answer } from '../aggregate/answer.ts';
import { answersVariable } from '../aggregate/answers-variable.ts';
import { bestAnswer } from '../aggregate/best-of.ts';
import { combineAnswers } from '../aggregate/combine-answers.ts';
import type { Aggregate, AggregateName } from '../definition/aggregate.ts';
import { callAgent } from './call-agent.ts';
import { namedInputs } from './named-inputs.ts';
import { ownVariables, type Place, type Thread } from './thread.ts';

/** Makes one value of several answers, by an agent where the strategy asks for one. */
export async function aggregateAnswers(
  thread: Thread,
  place: Place,
  aggregate: Aggregate | AggregateName,
  answers: readonly Answer[],
): Promise<JsonValue> {
  if (typeof aggregate === 'object' && isAsked(aggregate)) {
    const all = answersVariable(answers);
    const inputs = {
      answers: all,
      ...namedInputs(
        aggregate.input_variables,
        ownVariables({ ...thread.variables, answers: all }),
      ),
    };
    const name = `${place.name}:${aggregate.strategy}`;
    const own = { ...place, name, path: `${place.path}:${aggregate.strategy}` };
    const outputOf = (reply: JsonValue): JsonValue =>
      aggregate.strategy === 'judge' ? reply : bestAnswer(reply, answers);
    const work = { call: aggregate, inputs, kind: 'aggregate', check: outputOf } as const;
    const output = outputOf(await callAgent(thread, own, work));
    if (aggregate.output_variable !== undefined) {
      thread.variables[aggregate.output_variable] = output;
    }
    return output;
  }
  const output = combineAnswers(aggregate, answers);
  await recordCombination(thread, place, aggregate, answers, output);
  return output;
}

type Asked = Extract<Aggregate, { readonly strategy: 'judge' | 'bestOf' }>;

function isAsked(aggregate: Aggregate): aggregate is Asked {
  return aggregate.strategy === 'judge' || aggregate.strategy === 'bestOf';
}

/** For recorders, the answers come together here; there is nothing to do again after a resume. */
async function recordCombination(
  thread: Thread,
  { path }: Place,
  aggregate: Exclude<Aggregate, Asked> | AggregateName,
  answers: readonly Answer[],
  output: JsonValue,
): Promise<void> {
  const { record, engine } = thread.services;
  if (!record) return;
  const speaker = typeof aggregate === 'string' ? aggregate : aggregate.strategy;
  const own = `${path}:${speaker}`;
  const at = new Date(engine.now()).toISOString();
  await record.ended(
    {
      path: own,
      follows: thread.follows,
      kind: 'aggregate',
      speaker,
      input: answersVariable(answers),
      startedAt: at,
    },
    { status: 'done', output, endedAt: at },
  );
  thread.follows = [own];
}
