import type { JsonObject } from '@vizprompt/providers';
import { z } from 'zod';
import type {
  AgentCall,
  InputVariables,
  OutputFormat,
  ParallelAgent,
} from '../definition/agent-call.ts';
import type { Aggregate, AggregateName } from '../definition/aggregate.ts';
import { retryOrName, timeoutOrName } from './policies.ts';
import { count, strict, strictOf, text, type Shape } from './strict.ts';

export const jsonSchema = (description: string): z.ZodType<JsonObject> =>
  z.record(z.string(), z.json()).describe(description);

export const inputVariables: z.ZodType<InputVariables> = z
  .record(z.string(), text('A dotted path, such as user_input or review.score.'))
  .describe('Names for the prompt, and the dotted paths of the variables they stand for.');

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
  'What an answer has to be.',
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
  temperature: z.number().min(0).max(2).optional().describe('Of the model.'),
  maxOutputTokens: count('Tokens of the answer at most.').optional(),
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

const named = <Name extends string>(name: Name): z.ZodLiteral<Name> =>
  z.literal(name).describe('How the answers become one.');

const STRATEGIES: Readonly<Record<Aggregate['strategy'], z.ZodObject>> = {
  vote: strict<Of<'vote'>>({ strategy: named('vote'), by }, 'The answer of most agents.'),
  weightedVote: strict<Of<'weightedVote'>>(
    { strategy: named('weightedVote'), by },
    'The answer of most agents, by their weights.',
  ),
  judge: strict<Of<'judge'>>(
    { strategy: named('judge'), ...agentCall },
    'An agent reads all answers (the variable answers) and gives the result.',
  ),
  bestOf: strict<Of<'bestOf'>>(
    { strategy: named('bestOf'), ...agentCall },
    'An agent names the best answer by its number.',
  ),
  rankFusion: strict<Of<'rankFusion'>>(
    {
      strategy: named('rankFusion'),
      k: z.number().positive().optional().describe('The constant of the fusion. Default: 60.'),
      by,
      top: count('Items of the result at most.').optional(),
    },
    'One list of several, by reciprocal rank fusion.',
  ),
  concat: strict<Of<'concat'>>(
    {
      strategy: named('concat'),
      separator: z.string().optional().describe('Between the answers.'),
    },
    'One text.',
  ),
  mergeSchema: strict<Of<'mergeSchema'>>(
    { strategy: named('mergeSchema') },
    'One object, later keys in place of earlier ones; lists are joined.',
  ),
  firstSuccess: strict<Of<'firstSuccess'>>(
    { strategy: named('firstSuccess') },
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
