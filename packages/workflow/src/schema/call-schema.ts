import type { JsonObject } from '@vizprompt/providers';
import { z } from 'zod';
import type {
  AgentCall,
  AgentTool,
  Aggregate,
  AggregateName,
  InputVariables,
  OutputFormat,
  ParallelAgent,
} from '../definition/agent-call.ts';
import {
  type Duration,
  DURATION_PATTERN,
  type FailureMode,
  type Limits,
  type OnError,
  type Retry,
  type Timeout,
} from '../definition/policies.ts';

/** A schema for each key that a type has, no more and no less: so types and schemas cannot part. */
export type Shape<Type> = {
  readonly [Key in keyof Type]-?: z.ZodType<
    Type[Key] | ([undefined] extends [Type[Key]] ? undefined : OptionalOf<Type, Key>)
  >;
};

type OptionalOf<Type, Key extends keyof Type> = object extends Pick<Type, Key> ? undefined : never;

/** Returns an object without other keys. */
export function strict<Type extends object>(shape: Shape<Type>, description: string): z.ZodObject {
  return z.strictObject(shape).meta({ description });
}

/** As {@link strict}, where the type is needed. */
export function strictOf<Type extends object>(
  shape: Shape<Type>,
  description: string,
): z.ZodType<Type> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as `Shape` proves
  return strict<Type>(shape, description) as unknown as z.ZodType<Type>;
}

/** A text that is not empty. */
export const text = (description: string): z.ZodString => z.string().min(1).describe(description);

/** A whole number from 1 on. */
export const count = (description: string): z.ZodInt => z.int().min(1).describe(description);

export const duration = (description: string): z.ZodType<Duration> =>
  z
    .union([z.number().min(0), z.string().regex(DURATION_PATTERN)])
    .describe(`${description} Milliseconds, or a text such as 500ms, 30s, 5m, 2h or 1d.`);

const retry: z.ZodType<Retry> = strictOf<Retry>(
  {
    on: z
      .array(text('A code.'))
      .min(1)
      .optional()
      .describe('Codes of errors, such as rate_limit. Default: those that pass.'),
    maxAttempts: count('Attempts together, the first one included. Default: 3.').optional(),
    delay: duration('The wait before the second attempt. Default: 1s.').optional(),
    backoff: z
      .number()
      .min(1)
      .optional()
      .describe('The factor from each wait to the next. Default: 2.'),
    maxDelay: duration('No wait is longer. Default: 30s.').optional(),
    jitter: z.boolean().optional().describe('True to draw waits at random. Default: true.'),
  },
  'When and how it is tried again.',
);

const timeout: z.ZodType<Timeout> = strictOf<Timeout>(
  {
    total: duration('All attempts together, with the waits between them.').optional(),
    attempt: duration('One attempt.').optional(),
    idle: duration('The time without a sign of life.').optional(),
  },
  'How long a call may take.',
);

const named = (what: string, schema: z.ZodType): z.ZodType =>
  z.union([z.string().min(1), schema]).describe(`${what}, or a name of use.`);

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a name, or the rules
export const retryOrName = named('When and how it is tried again', retry) as z.ZodType<
  string | Retry
>;
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a name, or the times
export const timeoutOrName = named('How long an attempt may take', timeout) as z.ZodType<
  string | Timeout
>;

type OnErrorObject = Extract<OnError, object>;

export const onError: z.ZodType<OnError> = z
  .union([
    z.enum(['fail', 'continue']),
    strictOf<Extract<OnErrorObject, { default: unknown }>>(
      { default: z.json().describe('The output in place of the one that failed.') },
      'Continues with another output.',
    ),
    strictOf<Extract<OnErrorObject, { goto: string }>>(
      { goto: text('The id of a step, or end.') },
      'Continues with another step.',
    ),
  ])
  .describe('The consequence when the step fails for good. Default: fail.');

export const failureMode: z.ZodType<FailureMode> = z
  .union([
    z.enum(['failFast', 'settled']),
    strictOf<Extract<FailureMode, object>>(
      { quorum: count('Successes that are enough.') },
      'Needs as many successes.',
    ),
  ])
  .describe('The consequence when a part fails. Default: failFast.');

export const limits: z.ZodType<Limits> = strictOf<Limits>(
  {
    steps: z.int().min(0).optional().describe('Steps that are begun. Default: 10,000.'),
    timeout: duration('Wall time of the run.').optional(),
    tokens: z.number().min(0).optional().describe('Tokens of prompts and answers.'),
    costUsd: z.number().min(0).optional().describe('US dollars.'),
  },
  'The most that a run may use.',
);

const texts = (description: string): z.ZodType<Readonly<Record<string, string>>> =>
  z.record(z.string(), z.string()).describe(description);

const mcpServer = z
  .union([
    strict(
      {
        command: text('The program.'),
        args: z.array(z.string()).optional().describe('Its arguments.'),
        env: texts('Variables of its environment; ${NAME} is one of this process.').optional(),
        cwd: text('Its working directory.').optional(),
      },
      'A program that is started.',
    ),
    strict(
      {
        url: text('The address.'),
        headers: texts('Headers of requests; ${NAME} is a variable of the environment.').optional(),
      },
      'A server that is there already.',
    ),
  ])
  .describe('A server of the Model Context Protocol.');

export const use: z.ZodObject = strict(
  {
    retries: z.record(z.string(), retry).optional().describe('Rules for repetitions, by name.'),
    timeouts: z.record(z.string(), timeout).optional().describe('Times, by name.'),
    models: z.record(z.string(), text('provider:model')).optional().describe('Models, by name.'),
    mcpServers: z
      .record(z.string(), mcpServer)
      .optional()
      .describe('Servers of the Model Context Protocol, by name.'),
  },
  'Named values that several steps can use.',
);

export const jsonSchema = (description: string): z.ZodType<JsonObject> =>
  z.record(z.string(), z.json()).describe(description);

export const inputVariables: z.ZodType<InputVariables> = z
  .record(z.string(), text('A dotted path, such as user_input or review.score.'))
  .describe('Names for the prompt, and the dotted paths of their variables.');

export const outputVariable = (what: string): z.ZodOptional<z.ZodType<string>> =>
  z
    .string()
    .regex(/^[^\s.[\]]+$/)
    .describe(`The variable that holds ${what}.`)
    .optional();

const outputFormat: z.ZodType<OutputFormat> = strictOf<OutputFormat>(
  {
    schema: jsonSchema('A JSON Schema; the output is the parsed value instead of the text.'),
    repair: z
      .int()
      .min(0)
      .optional()
      .describe('How often the model is shown what was wrong and asked again. Default: 1.'),
  },
  'The required form of an answer.',
);

const agentTool: z.ZodType<AgentTool> = strictOf<AgentTool>(
  {
    tool: text('name, mcp:server/tool, mcp:server, flow:workflow or retrieve:retriever.'),
    approve: z
      .union([
        z.enum(['always', 'never']),
        strictOf<{ readonly when: string }>(
          { when: text('CEL over tool and input.') },
          'Where the condition holds.',
        ),
      ])
      .optional()
      .describe('When a person must approve a call. Default: never.'),
    maxCalls: count('Calls at most, in all rounds. Default: no limit.').optional(),
    timeout: timeoutOrName.optional(),
  },
  'A tool, with what is allowed.',
);

export const agentCall: Shape<AgentCall> = {
  agent_id: text('A role of the prompt set.'),
  prompt_id: text('A prompt of the prompt set.'),
  input_variables: inputVariables.optional(),
  output_variable: outputVariable('the answer'),
  model: text("Instead of the role's model: a name of use.models, or provider:model.").optional(),
  fallback: z
    .array(text('A model.'))
    .optional()
    .describe('Models that are asked in turn where the one before cannot answer.'),
  retry: retryOrName.optional(),
  timeout: timeoutOrName.optional(),
  output: outputFormat.optional(),
  temperature: z.number().min(0).max(2).optional().describe('The temperature of the model.'),
  maxOutputTokens: count('Tokens of the answer at most.').optional(),
  allowTruncated: z
    .boolean()
    .optional()
    .describe('Accepts an answer that the limit of tokens cut off. Default: false.'),
  tools: z
    .array(z.union([text('A tool.'), agentTool]))
    .min(1)
    .optional()
    .describe(
      'Tools that the agent may call: name, mcp:server/tool, mcp:server, flow:workflow or retrieve:retriever.',
    ),
  maxToolRounds: count('Answers that may call tools. Default: 8.').optional(),
};

export const parallelAgent: z.ZodType<ParallelAgent> = strictOf<ParallelAgent>(
  {
    ...agentCall,
    weight: z
      .number()
      .positive()
      .optional()
      .describe('For weightedVote and rankFusion. Default: 1.'),
  },
  'One of the agents that work at the same time.',
);

const by = text('A dotted path into answers that are objects.').optional();
type Of<Strategy extends Aggregate['strategy']> = Extract<Aggregate, { strategy: Strategy }>;

const strategyName = <Name extends string>(name: Name): z.ZodLiteral<Name> =>
  z.literal(name).describe('How the answers become one.');

const STRATEGIES: Readonly<Record<Aggregate['strategy'], z.ZodObject>> = {
  vote: strict<Of<'vote'>>({ strategy: strategyName('vote'), by }, 'The answer of most agents.'),
  weightedVote: strict<Of<'weightedVote'>>(
    { strategy: strategyName('weightedVote'), by },
    'The answer of most agents, by their weights.',
  ),
  judge: strict<Of<'judge'>>(
    { strategy: strategyName('judge'), ...agentCall },
    'An agent reads all answers (the variable answers) and gives the result.',
  ),
  bestOf: strict<Of<'bestOf'>>(
    { strategy: strategyName('bestOf'), ...agentCall },
    'An agent names the best answer by its number.',
  ),
  rankFusion: strict<Of<'rankFusion'>>(
    {
      strategy: strategyName('rankFusion'),
      k: z.number().positive().optional().describe('The constant of the fusion. Default: 60.'),
      by,
      top: count('Items of the result at most.').optional(),
    },
    'One list of several, by reciprocal rank fusion.',
  ),
  concat: strict<Of<'concat'>>(
    {
      strategy: strategyName('concat'),
      separator: z.string().optional().describe('Between the answers.'),
    },
    'One text.',
  ),
  mergeSchema: strict<Of<'mergeSchema'>>(
    { strategy: strategyName('mergeSchema') },
    'One object, later keys in place of earlier ones; lists are joined.',
  ),
  firstSuccess: strict<Of<'firstSuccess'>>(
    { strategy: strategyName('firstSuccess') },
    'The first answer that is there; the others are stopped.',
  ),
};

const NAMES: Readonly<Record<AggregateName, AggregateName>> = {
  vote: 'vote',
  weightedVote: 'weightedVote',
  rankFusion: 'rankFusion',
  concat: 'concat',
  mergeSchema: 'mergeSchema',
  firstSuccess: 'firstSuccess',
};

const { vote, ...strategies } = STRATEGIES;
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as each of them proves
const aggregateObject = z.discriminatedUnion('strategy', [
  vote,
  ...Object.values(strategies),
]) as unknown as z.ZodType<Aggregate>;

export const aggregate: z.ZodType<Aggregate | AggregateName> = z
  .union([z.enum(NAMES), aggregateObject])
  .describe('How the answers become one. Default: nothing; each has a variable of its own.');
