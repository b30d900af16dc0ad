// How @vizprompt/workflow will stand on the contracts. It is compiled, not run.
import {
  LLMError,
  textMessage,
  type Activity,
  type Budget,
  type ChatModel,
  type Database,
  type ModelRegistry,
  type TurnRecorder,
} from '@vizprompt/providers';

/** A step is journalled before the next begins; found in the journal, it is not paid for again. */
export async function step(
  database: Database,
  run: string,
  key: string,
  work: () => Promise<string>,
): Promise<string> {
  const [done] = await database.query<{ output: string }>(
    'SELECT output FROM workflow_step WHERE run = ? AND key = ?',
    [run, key],
  );
  if (done) return done.output;
  const output = await work();
  await database.execute('INSERT INTO workflow_step VALUES (?, ?, ?)', [run, key, output]);
  return output;
}

/** An agent's answer: the budget is reserved before and settled after, the turn is recorded. */
export async function ask(
  models: ModelRegistry,
  agent: { readonly model: string; readonly prompt: string },
  context: {
    readonly budget: Budget;
    readonly recorder: TurnRecorder;
    readonly signal: AbortSignal;
  },
): Promise<string> {
  const model: ChatModel = models.model(agent.model);
  const { budget, recorder, signal } = context;
  const startedAt = new Date().toISOString();
  const reservation = budget.reserve({ tokens: 2000 });
  try {
    const messages = [textMessage('user', agent.prompt)];
    const result = await model.generate({ messages, signal });
    const { inputTokens = 0, outputTokens = 0 } = result.usage;
    reservation.settle({ tokens: inputTokens + outputTokens });
    await recorder.record({
      id: 'step-1',
      conversationId: 'run-1',
      follows: [],
      kind: 'turn',
      status: 'done',
      speaker: 'reviewer',
      input: [{ type: 'text', text: agent.prompt }],
      output: result.parts,
      usage: result.usage,
      startedAt,
    });
    return result.text;
  } catch (error) {
    reservation.settle({ tokens: 0 });
    if (LLMError.isInstance(error) && error.isRetryable) throw error;
    throw error;
  }
}

/** Any registered activity is a step, a whole moderated talk among them. */
export async function runActivity(activity: Activity, input: unknown): Promise<unknown> {
  return activity.run(input, {
    key: 'run-1/step-2',
    signal: AbortSignal.timeout(60_000),
    emit: () => undefined,
  });
}
