import type { JsonValue } from '@vizprompt/providers';
import { askAgent } from '../agents/ask-agent.ts';
import type { AgentCall } from '../definition/agent-call.ts';
import { WorkflowError } from '../errors.ts';
import { renderPrompt } from '../language/template.ts';
import { doWork } from './do-work.ts';
import { toErrorJson } from './failure.ts';
import { policiesOf } from './policies-of.ts';
import type { Place, Thread } from './thread.ts';

/** A call of an agent, with the values of its inputs. */
export interface AgentWork {
  readonly call: AgentCall;
  readonly inputs: { readonly [name: string]: JsonValue };
  readonly kind?: 'turn' | 'aggregate';
  /** Throws where an answer is of no use: it is not kept then, and `resume` asks again. */
  readonly check?: (answer: JsonValue) => void;
}

/** Lets an agent answer. */
export async function callAgent(
  thread: Thread,
  place: Place,
  { call, inputs, kind = 'turn', check }: AgentWork,
): Promise<JsonValue> {
  const { services } = thread;
  const { definition, engine, tell } = services;
  const role = found('role', definition.agent_roles, call.agent_id);
  const template = found('prompt', definition.prompts, call.prompt_id);
  const names = engine.models.namesOf(definition, call);
  const { path, stepId } = place;
  let rendered: string | undefined;
  const prompt = (): string => (rendered ??= renderPrompt(template, inputs));
  const [model] = names;
  return doWork(thread, place, {
    speaker: call.agent_id,
    agent: call.agent_id,
    kind,
    ...(model === undefined ? {} : { model }),
    input: prompt,
    async run(signal) {
      const models = [];
      for (const name of names) models.push({ name, model: await engine.models.model(name) });
      const answer = await askAgent({
        path,
        models,
        system: role.system_prompt,
        prompt: prompt(),
        output: call.output,
        temperature: call.temperature,
        maxOutputTokens: call.maxOutputTokens,
        ...policiesOf(definition, call),
        signal,
        limiter: engine.limiter,
        middleware: engine.middleware({
          runId: services.runId,
          path,
          stepId,
          agent: call.agent_id,
        }),
        prices: engine.prices,
        runBudget: services.budget,
        budget: services.budget.forStep(path, {
          reserved: (spending, remaining) =>
            tell('budget:reserved', { path, stepId, spending, remaining }),
          settled: (spending, remaining) =>
            tell('budget:settled', { path, stepId, spending, remaining }),
        }),
        onDelta: (piece, text) => tell('step:delta', { path, stepId, kind: piece, text }),
        onRetry: ({ attempt, waitMs, error }) =>
          tell('step:retried', { path, stepId, attempt, waitMs, error: toErrorJson(error) }),
        onFallback: (from, to, error) =>
          tell('step:fell-back', { path, stepId, from, to, error: toErrorJson(error) }),
      });
      check?.(answer.output);
      return answer;
    },
  });
}

function found<Value>(what: string, all: Readonly<Record<string, Value>>, name: string): Value {
  const value = Object.hasOwn(all, name) ? all[name] : undefined;
  if (value !== undefined) return value;
  throw new WorkflowError('not-found', `there is no ${what} '${name}' in the prompt set`, {
    context: { [what]: name },
  });
}
