import type { JsonValue } from '@vizprompt/providers';
import { z } from 'zod';
import type {
  ActivityStep,
  AgentStep,
  BranchStep,
  ForeachStep,
  FunctionStep,
  HumanStep,
  LoopStep,
  MultiAgentStep,
  ParallelBranch,
  ParallelStep,
  RetrieveStep,
  SleepStep,
  Step,
  StepBase,
  SubflowStep,
  TeamMember,
  TeamStep,
  ToolStep,
} from '../definition/step.ts';
import type {
  AgentRole,
  Schedule,
  Webhook,
  WorkflowDefinition,
  WorkflowFile,
} from '../definition/workflow-file.ts';
import {
  agentCall,
  aggregate,
  count,
  duration,
  failureMode,
  inputVariables,
  jsonSchema,
  limits,
  onError,
  outputVariable,
  parallelAgent,
  retryOrName,
  type Shape,
  strict,
  strictOf,
  text,
  timeoutOrName,
  use,
} from './call-schema.ts';

const base: Shape<StepBase> = {
  id: z
    .string()
    .regex(/^[^\s/#]+$/)
    .describe('Unique within its workflow, bodies of loops included.'),
  description: z.string().optional().describe('For readers.'),
  next_step: text('The step after this one, or end. Default: the next one of the list.').optional(),
  when: text(
    'CEL: where it is false, the step is left out; its variable keeps what it holds, or else is null.',
  ).optional(),
  onError: onError.optional(),
};

const work = {
  input_variables: inputVariables.optional(),
  output_variable: outputVariable('what it gives'),
  retry: retryOrName.optional(),
  timeout: timeoutOrName.optional(),
};

const variable = (description: string): z.ZodType<string> =>
  z
    .string()
    .regex(/^[^\s.[\]]+$/)
    .describe(description);

const maxConcurrency = (what: string): z.ZodOptional<z.ZodInt> => count(what).optional();

const steps: z.ZodType<readonly Step[]> = z
  .lazy(() => z.array(step).min(1))
  .describe('The steps of its body.');

const parallelBranch: z.ZodType<ParallelBranch> = strictOf<ParallelBranch>(
  {
    steps,
    result: text(
      'The dotted path of what it gives. Default: the output variable of its last step.',
    ).optional(),
  },
  'A chain of steps with variables of its own.',
);

const teamMember: z.ZodType<TeamMember> = strictOf<TeamMember>(
  {
    ...agentCall,
    hands_over_to: z
      .array(text('A member.'))
      .optional()
      .describe('Members that it may hand over to. Default: all others, or the supervisor.'),
  },
  'A member of a team.',
);

const branch: z.ZodType<BranchStep['branches'][number]> = strictOf<BranchStep['branches'][number]>(
  { when: text('CEL.'), next_step: text('The id of a step, or end.') },
  'A condition, and where it leads.',
);

const is = <Name extends string>(name: Name): z.ZodLiteral<Name> =>
  z.literal(name).describe('The kind of the step.');

/** The schema of each type of steps. */
const STEPS: Readonly<Record<Step['type'], z.ZodObject>> = {
  agent_interaction: strict<AgentStep>(
    { ...base, type: is('agent_interaction'), ...agentCall },
    'One agent answers.',
  ),
  multi_agent_interaction: strict<MultiAgentStep>(
    {
      ...base,
      type: is('multi_agent_interaction'),
      agents_to_run: z.array(parallelAgent).min(1).describe('The agents.'),
      failureMode: failureMode.optional(),
      maxConcurrency: maxConcurrency('Agents at a time. Default: all.'),
      aggregate: aggregate.optional(),
      output_variable: outputVariable('what aggregate gives'),
    },
    'Several agents answer at the same time.',
  ),
  branch: strict<BranchStep>(
    {
      ...base,
      type: is('branch'),
      branches: z.array(branch).min(1).describe('The first one whose condition holds is taken.'),
      else: text('Where none holds: a step, or end. Default: next_step.').optional(),
    },
    'Goes to the first branch whose condition holds.',
  ),
  loop: strict<LoopStep>(
    {
      ...base,
      type: is('loop'),
      steps,
      until: text('CEL, asked after each round: where it is true, the loop is over.').optional(),
      maxRounds: count('After as many rounds it is over in any case.'),
      onExhausted: z
        .enum(['continue', 'fail'])
        .optional()
        .describe('The consequence if until is not true after the last round. Default: continue.'),
      as: variable(
        'The variable that holds the number of the round, from 1. Default: round.',
      ).optional(),
    },
    'Repeats its steps.',
  ),
  foreach: strict<ForeachStep>(
    {
      ...base,
      type: is('foreach'),
      in: text('CEL that gives a list.'),
      as: variable('The variable that holds the item.'),
      indexAs: variable('The variable that holds its place, from 0.').optional(),
      steps,
      maxConcurrency: maxConcurrency('Items at a time. Default: 8.'),
      failureMode: failureMode.optional(),
      result: text('The dotted path of what an item gives.').optional(),
      output_variable: outputVariable('what the items give, in their order'),
    },
    'Does its steps for each item of a list.',
  ),
  parallel: strict<ParallelStep>(
    {
      ...base,
      type: is('parallel'),
      branches: z
        .record(z.string().regex(/^[^\s/#]+$/), parallelBranch)
        .refine((all) => Object.keys(all).length > 0)
        .describe('The branches, by their names.'),
      join: z
        .union([z.enum(['all', 'any']), count('As many.')])
        .optional()
        .describe('Which branches are waited for. Default: all.'),
      errors: z
        .enum(['fail', 'settle'])
        .optional()
        .describe('The consequence when a branch fails. Default: fail where all are waited for.'),
      maxConcurrency: maxConcurrency('Branches at a time. Default: all.'),
      output_variable: outputVariable('an object of what the branches give'),
    },
    'Runs branches of any steps at the same time.',
  ),
  team: strict<TeamStep>(
    {
      ...base,
      type: is('team'),
      members: z
        .record(z.string().regex(/^[^\s/#]+$/), teamMember)
        .refine((all) => Object.keys(all).length > 1)
        .describe('The members, by their names: two or more.'),
      supervisor: text(
        'The member that leads: after the turn of any other it is its turn. Default: free hand-over.',
      ).optional(),
      start: text('The member that begins. Default: the supervisor, or the first one.').optional(),
      maxTurns: count('Turns at most. Default: 12.').optional(),
      onExhausted: z
        .enum(['continue', 'fail'])
        .optional()
        .describe('The consequence if the last turn hands over, too. Default: fail.'),
      output_variable: outputVariable('the last answer'),
      notes_variable: outputVariable('the notes of the team'),
    },
    'Agents that hand the work over to each other until one of them answers.',
  ),
  function: strict<FunctionStep>(
    { ...base, type: is('function'), function: text('A function of the engine.'), ...work },
    'Calls a function of the engine.',
  ),
  tool: strict<ToolStep>(
    { ...base, type: is('tool'), tool: text('A tool of the engine.'), ...work },
    'Runs a tool of the engine.',
  ),
  activity: strict<ActivityStep>(
    { ...base, type: is('activity'), activity: text('An activity of the engine.'), ...work },
    'Runs an activity of the engine, such as a moderated talk.',
  ),
  retrieve: strict<RetrieveStep>(
    {
      ...base,
      type: is('retrieve'),
      retriever: text('A retriever of the engine.'),
      query: text('The dotted path of the question.'),
      limit: count('Passages at most. Default: 5.').optional(),
      k: count('The former name of `limit`.').optional().meta({ deprecated: true }),
      filter: z
        .record(z.string(), z.json() satisfies z.ZodType<JsonValue>)
        .optional()
        .describe('The filter of the retriever.'),
      output_variable: outputVariable('the passages'),
      retry: retryOrName.optional(),
      timeout: timeoutOrName.optional(),
    },
    'Looks passages up.',
  ),
  human: strict<HumanStep>(
    {
      ...base,
      type: is('human'),
      prompt_id: text('The question, a prompt of the prompt set.'),
      input_variables: inputVariables.optional(),
      output_variable: outputVariable('the answer'),
      output: strictOf<NonNullable<HumanStep['output']>>(
        { schema: jsonSchema('A JSON Schema.') },
        'The required form of the answer. Default: any JSON.',
      ).optional(),
      timeout: timeoutOrName.optional(),
    },
    'Waits for a person.',
  ),
  subflow: strict<SubflowStep>(
    {
      ...base,
      type: is('subflow'),
      workflow: text('The name of a workflow.'),
      input_variables: inputVariables.optional(),
      output_variable: outputVariable('what it gives'),
    },
    'Runs another workflow.',
  ),
  sleep: strict<SleepStep>(
    {
      ...base,
      type: is('sleep'),
      duration: duration('How long it waits.').optional(),
      until: text('The dotted path of a time (ISO 8601), instead of duration.').optional(),
    },
    'Waits.',
  ),
};

const { agent_interaction, ...others } = STEPS;

/** A step; only the schema of its type counts. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as each of them proves
const step: z.ZodType<Step> = z
  .discriminatedUnion('type', [agent_interaction, ...Object.values(others)])
  .meta({ id: 'Step' }) as unknown as z.ZodType<Step>;

const role: z.ZodType<AgentRole> = strictOf<AgentRole>(
  {
    system_prompt: z.string().describe('The identity of the agent, and how it answers.'),
    description: z.string().optional().describe('For readers.'),
    model: text('A name of use.models, or provider:model. Default: that of the engine.').optional(),
  },
  'The role of an agent.',
);

const workflow: z.ZodType<WorkflowDefinition> = strictOf<WorkflowDefinition>(
  {
    description: z.string().optional().describe('For readers.'),
    initial_step: text('The first step. Default: the first one of the list.').optional(),
    inputs: jsonSchema('A JSON Schema of user_input.').optional(),
    output: text(
      'The dotted path of what the run gives. Default: the output of the last step.',
    ).optional(),
    limits: limits.optional(),
    order: z
      .enum(['listed', 'by-data'])
      .optional()
      .describe(
        'by-data: steps run side by side, each as soon as those whose variables it takes have ended. Default: listed.',
      ),
    steps: z.array(step).min(1).describe('The steps.'),
  },
  'A flow of steps.',
);

/** Names that are a part of ids of runs, and of addresses. */
const NAME = /^[\w.-]{1,100}$/;

const promptSet = text('Which prompts are used. Default: default, or the only one.').optional();

const schedule: z.ZodType<Schedule> = strictOf<Schedule>(
  {
    workflow: text('The name of a workflow.'),
    cron: text('minute hour day month weekday, or six fields with seconds in front.'),
    timeZone: text('Such as Asia/Tokyo. Default: UTC.').optional(),
    input: z
      .json()
      .optional()
      .describe('The variable user_input. Default: an object with schedule and at.'),
    promptSet,
    missed: z
      .enum(['last', 'all', 'skip'])
      .optional()
      .describe('The handling of times at which no process ran. Default: last.'),
    overlap: z
      .enum(['allow', 'skip'])
      .optional()
      .describe('The handling of times at which the run before has not ended. Default: allow.'),
  },
  'Starts a workflow by the clock.',
);

const webhook: z.ZodType<Webhook> = strictOf<Webhook>(
  {
    workflow: text('The name of a workflow.'),
    scheme: z
      .enum(['standard', 'github', 'slack', 'bearer'])
      .describe('How requests prove who sent them.'),
    secret: text('The secret, as ${NAME}: a variable of the environment.'),
    when: text('CEL over body, headers and query: others start nothing.').optional(),
    input: text('The dotted path of user_input. Default: body.').optional(),
    promptSet,
  },
  'Starts a workflow by a request of another service.',
);

const shape = {
  $schema: z.string().optional().describe('This schema, for editors.'),
  version: z
    .union([z.literal(1), z.literal(2)])
    .optional()
    .describe('The version of the format. Default: 2.'),
  use: use.optional(),
  agent_roles: z.record(z.string(), role).optional().describe('Agents, by their ids.'),
  prompts: z
    .record(z.string(), z.string())
    .optional()
    .describe('Prompts by their ids, as Liquid templates.'),
  workflows: z.record(z.string(), workflow).optional().describe('Flows, by their names.'),
  schedules: z
    .record(z.string().regex(NAME), schedule)
    .optional()
    .describe('Runs started by the clock, by name.'),
  webhooks: z
    .record(z.string().regex(NAME), webhook)
    .optional()
    .describe('Runs started by requests of other services, by name.'),
};

/** A file. */
export const fileSchema: z.ZodType<WorkflowFile> = strictOf<WorkflowFile>(
  shape,
  'Workflows, roles and prompts of @vizprompt/workflow.',
);

/** Returns the format as JSON Schema (draft 2020-12), for editors: `workflow.schema.json` of the package. */
export function workflowJsonSchema(): Record<string, unknown> {
  return {
    ...z.toJSONSchema(fileSchema, { unrepresentable: 'any', override: withAnyOf }),
    title: 'Workflows of @vizprompt/workflow',
  };
}

/** Editors offer the keys of all that may still fit by `anyOf`; `oneOf` makes them complain at once. */
function withAnyOf({
  jsonSchema: made,
}: {
  jsonSchema: { oneOf?: object[]; anyOf?: object[] };
}): void {
  if (!made.oneOf) return;
  made.anyOf = made.oneOf;
  delete made.oneOf;
}
