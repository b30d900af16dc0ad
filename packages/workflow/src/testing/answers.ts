import { LLMError } from '@vizprompt/providers';
import type { Middleware } from '@vizprompt/providers/middleware';
import { scriptedModel, type ScriptedAnswer } from '@vizprompt/providers/testing';
import type { CallLog, TestCall } from './test-call.ts';

/** The answers at one place: in the order of the calls there, always the same, or by a function. */
export type PlaceAnswers =
  | ScriptedAnswer
  | { readonly inOrder: readonly ScriptedAnswer[] }
  | ((call: TestCall) => ScriptedAnswer | Promise<ScriptedAnswer>);

/**
 * The answers of models: by the id of a step or an agent, or by `step/agent`, the most exact one first; or one
 * function for all calls.
 */
export type Answers =
  | Readonly<Record<string, PlaceAnswers>>
  | ((call: TestCall) => ScriptedAnswer | Promise<ScriptedAnswer>);

/** Returns a layer that answers instead of the model. */
export function answering(answers: Answers, log: CallLog): (path: string) => Middleware {
  const told = new Map<string, number>();
  return (path) => ({
    name: 'answers',
    stream(request, _next, { provider, modelId, capabilities }) {
      const call = log.current(path);
      const script = async (): Promise<ScriptedAnswer> => {
        if (!call) throw new Error(`there is no call at '${path}'`);
        return typeof answers === 'function' ? answers(call) : answerOf(answers, call, told);
      };
      return scriptedModel(script, { provider, modelId, capabilities }).stream(request);
    },
  });
}

async function answerOf(
  answers: Readonly<Record<string, PlaceAnswers>>,
  call: TestCall,
  told: Map<string, number>,
): Promise<ScriptedAnswer> {
  const { stepId, agent, prompt } = call;
  const keys = [`${stepId}/${agent}`, stepId, agent];
  const key = keys.find((name) => Object.hasOwn(answers, name));
  const given = key === undefined ? undefined : answers[key];
  if (key === undefined || given === undefined) {
    const short = prompt.length > 200 ? `${prompt.slice(0, 200).toWellFormed()}…` : prompt;
    throw noAnswer(
      `no answer for the step '${stepId}' or the agent '${agent}', which was asked: ${short}`,
    );
  }
  if (typeof given === 'function') return given(call);
  if (typeof given !== 'object' || !('inOrder' in given)) return given;
  const number = told.get(key) ?? 0;
  told.set(key, number + 1);
  const answer = given.inOrder[number];
  if (answer !== undefined) return answer;
  throw noAnswer(`'${key}' has ${given.inOrder.length} answers, and was asked once more`);
}

function noAnswer(message: string): LLMError {
  return new LLMError('invalid_request', message);
}
