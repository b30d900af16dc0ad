import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '@vizprompt/providers';
import { agentCalls, allSteps } from '../definition/walk-steps.ts';
import type { Step } from '../definition/step.ts';
import type { WorkflowDefinition } from '../definition/workflow-file.ts';

/** What is known of a value: a JSON Schema. Nothing is known of what is absent. */
export type ValueType = JsonObject;

const TEXT: ValueType = { type: 'string' };

/** What is known of the variables of a workflow, where all steps that set one agree. */
export function variableTypes(workflow: WorkflowDefinition): ReadonlyMap<string, ValueType> {
  const types = new Map<string, ValueType | undefined>();
  const add = (name: string | undefined, type: ValueType | undefined): void => {
    if (name === undefined) return;
    const isOther = types.has(name) && !isDeepStrictEqual(types.get(name), type);
    types.set(name, isOther ? undefined : type);
  };
  add('user_input', workflow.inputs);
  for (const { step } of allSteps(workflow.steps)) {
    for (const { call, path } of agentCalls(step)) {
      if (path[0] === 'agents_to_run') add(call.output_variable, call.output?.schema ?? TEXT);
    }
    if ('output_variable' in step) add(step.output_variable, outputType(step));
    if (step.type === 'loop') add(step.as ?? 'round', { type: 'integer' });
    if (step.type !== 'foreach') continue;
    add(step.as, undefined);
    add(step.indexAs, { type: 'integer' });
  }
  const known = [...types].flatMap(([name, type]): [string, ValueType][] =>
    type === undefined ? [] : [[name, type]],
  );
  return new Map(known);
}

function outputType(step: Step): ValueType | undefined {
  switch (step.type) {
    case 'agent_interaction':
      return orFallback(step, step.output?.schema ?? TEXT);
    case 'human':
      return orFallback(step, step.output?.schema);
    case 'foreach':
      return orFallback(step, { type: 'array' });
    case 'retrieve':
      return orFallback(step, { type: 'array', items: PASSAGE });
    case 'multi_agent_interaction': {
      const { aggregate } = step;
      const strategy = typeof aggregate === 'object' ? aggregate.strategy : aggregate;
      if (strategy === 'concat') return orFallback(step, TEXT);
      if (strategy === 'rankFusion') return orFallback(step, { type: 'array' });
      return undefined;
    }
    default:
      return undefined;
  }
}

/** What takes the place of an output after an error may be of another type. */
function orFallback(step: Step, type: ValueType | undefined): ValueType | undefined {
  return typeof step.onError === 'object' && 'default' in step.onError ? undefined : type;
}

const PASSAGE: JsonObject = {
  type: 'object',
  properties: {
    id: TEXT,
    text: TEXT,
    score: { type: 'number' },
    source: { type: 'object' },
    title: TEXT,
    time: TEXT,
    meta: { type: 'object' },
  },
};
