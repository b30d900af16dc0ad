import { DURATION_PATTERN } from '../definition/duration.ts';

/**
 * A check that only says whether: whole files are checked in a few milliseconds, and the schema, which has to be
 * loaded first, is asked what is wrong only where something is.
 */
type Fits = (value: unknown) => boolean;

const text: Fits = (value) => typeof value === 'string' && value !== '';
const anyText: Fits = (value) => typeof value === 'string';
const yes: Fits = () => true;
const flag: Fits = (value) => typeof value === 'boolean';
const atLeast =
  (limit: number): Fits =>
  (value) =>
    typeof value === 'number' && Number.isFinite(value) && value >= limit;
const whole =
  (limit: number): Fits =>
  (value) =>
    Number.isSafeInteger(value) && Number(value) >= limit;
const positive: Fits = (value) => atLeast(0)(value) && value !== 0;
const pattern =
  (expression: RegExp): Fits =>
  (value) =>
    typeof value === 'string' && expression.test(value);
const oneOf =
  (...names: readonly unknown[]): Fits =>
  (value) =>
    names.includes(value);
const either =
  (...all: readonly Fits[]): Fits =>
  (value) =>
    all.some((fits) => fits(value));
const list =
  (fits: Fits, least = 0): Fits =>
  (value) =>
    Array.isArray(value) && value.length >= least && value.every(fits);

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const record =
  (fits: Fits): Fits =>
  (value) =>
    isObject(value) && Object.values(value).every(fits);

/** An object of these keys; those with a question mark may be left out. */
function object(shape: Readonly<Record<string, Fits>>): Fits {
  const fields = new Map(
    Object.entries(shape).map(([key, fits]) => [key.replace(/\?$/, ''), fits]),
  );
  const needed = Object.keys(shape).filter((key) => !key.endsWith('?'));
  return (value) => {
    if (!isObject(value)) return false;
    for (const key of needed) if (value[key] === undefined) return false;
    for (const key of Object.keys(value)) {
      const fits = fields.get(key);
      if (!fits || (value[key] !== undefined && !fits(value[key]))) return false;
    }
    return true;
  };
}

const json: Fits = (value) => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  return Array.isArray(value) ? value.every(json) : isObject(value) && record(json)(value);
};

const variable = pattern(/^[^\s.[\]]+$/);
const duration = either(atLeast(0), pattern(DURATION_PATTERN));
const retry = object({
  'on?': list(text, 1),
  'maxAttempts?': whole(1),
  'delay?': duration,
  'backoff?': atLeast(1),
  'maxDelay?': duration,
  'jitter?': flag,
});
const timeout = object({ 'total?': duration, 'idle?': duration });
const inputs = record(text);
const again = { 'retry?': either(text, retry), 'timeout?': either(text, timeout) };
const call = {
  agent_id: text,
  prompt_id: text,
  'input_variables?': inputs,
  'output_variable?': variable,
  'model?': text,
  'fallback?': list(text),
  ...again,
  'output?': object({ schema: record(json), 'repair?': whole(0) }),
  'temperature?': (value: unknown) => atLeast(0)(value) && Number(value) <= 2,
  'maxOutputTokens?': whole(1),
};
const base = {
  type: yes,
  id: pattern(/^[^\s/#]+$/),
  'description?': anyText,
  'next_step?': text,
  'when?': text,
  'onError?': either(oneOf('fail', 'continue'), object({ default: json }), object({ goto: text })),
};
const failureMode = either(oneOf('failFast', 'settled'), object({ quorum: whole(1) }));

const strategies: Readonly<Record<string, Fits>> = {
  vote: object({ strategy: yes, 'by?': text }),
  weightedVote: object({ strategy: yes, 'by?': text }),
  judge: object({ strategy: yes, ...call }),
  bestOf: object({ strategy: yes, ...call }),
  rankFusion: object({ strategy: yes, 'k?': positive, 'by?': text, 'top?': whole(1) }),
  concat: object({ strategy: yes, 'separator?': anyText }),
  mergeSchema: object({ strategy: yes }),
  firstSuccess: object({ strategy: yes }),
};
const named = oneOf(
  ...Object.keys(strategies).filter((name) => name !== 'judge' && name !== 'bestOf'),
);

/** By the key that tells them apart. */
const byKey =
  (key: string, all: Readonly<Record<string, Fits>>): Fits =>
  (value) => {
    const name = isObject(value) ? value[key] : undefined;
    return typeof name === 'string' && Object.hasOwn(all, name) && all[name]?.(value) === true;
  };

const work = { 'input_variables?': inputs, 'output_variable?': variable, ...again };
const body = { steps: list((value) => step(value), 1) };

const STEPS: Readonly<Record<string, Fits>> = {
  agent_interaction: object({ ...base, ...call }),
  multi_agent_interaction: object({
    ...base,
    agents_to_run: list(object({ ...call, 'weight?': positive }), 1),
    'failureMode?': failureMode,
    'maxConcurrency?': whole(1),
    'aggregate?': either(named, byKey('strategy', strategies)),
    'output_variable?': variable,
  }),
  branch: object({
    ...base,
    branches: list(object({ when: text, next_step: text }), 1),
    'else?': text,
  }),
  loop: object({ ...base, ...body, 'until?': text, maxRounds: whole(1), 'as?': variable }),
  foreach: object({
    ...base,
    ...body,
    in: text,
    as: variable,
    'indexAs?': variable,
    'maxConcurrency?': whole(1),
    'failureMode?': failureMode,
    'result?': text,
    'output_variable?': variable,
  }),
  function: object({ ...base, function: text, ...work }),
  tool: object({ ...base, tool: text, ...work }),
  activity: object({ ...base, activity: text, ...work }),
  retrieve: object({
    ...base,
    retriever: text,
    query: text,
    'k?': whole(1),
    'filter?': record(json),
    'output_variable?': variable,
    ...again,
  }),
  human: object({
    ...base,
    prompt_id: text,
    'input_variables?': inputs,
    'output_variable?': variable,
    'output?': object({ schema: record(json) }),
    'timeout?': again['timeout?'],
  }),
  subflow: object({
    ...base,
    workflow: text,
    'input_variables?': inputs,
    'output_variable?': variable,
  }),
  sleep: object({ ...base, 'duration?': duration, 'until?': text }),
};
const step = byKey('type', STEPS);

/** Whether a file has the structure of the format. */
export const fitsFormat: Fits = object({
  '$schema?': anyText,
  'version?': oneOf(1, 2),
  'use?': object({
    'retries?': record(retry),
    'timeouts?': record(timeout),
    'models?': record(text),
  }),
  'agent_roles?': record(
    object({ system_prompt: anyText, 'description?': anyText, 'model?': text }),
  ),
  'prompts?': record(anyText),
  'workflows?': record(
    object({
      'description?': anyText,
      'initial_step?': text,
      'inputs?': record(json),
      'output?': text,
      'limits?': object({
        'steps?': whole(0),
        'timeout?': duration,
        'tokens?': atLeast(0),
        'costUsd?': atLeast(0),
      }),
      steps: list(step, 1),
    }),
  ),
});
