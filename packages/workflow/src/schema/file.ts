import { z } from 'zod';
import type { AgentRole, WorkflowDefinition, WorkflowFile } from '../definition/workflow-file.ts';
import { jsonSchema } from './agent.ts';
import { limits, use } from './policies.ts';
import { step } from './step.ts';
import { strictOf, text } from './strict.ts';

const role: z.ZodType<AgentRole> = strictOf<AgentRole>(
  {
    system_prompt: z.string().describe('Who the agent is and how it answers.'),
    description: z.string().optional().describe('For readers.'),
    model: text('A name of use.models, or provider:model. Default: that of the engine.').optional(),
  },
  'Who an agent is.',
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
    steps: z.array(step).min(1).describe('The steps.'),
  },
  'A flow of steps.',
);

const shape = {
  $schema: z.string().optional().describe('This schema, for editors.'),
  version: z
    .union([z.literal(1), z.literal(2)])
    .optional()
    .describe('Of the format. Default: 2.'),
  use: use.optional(),
  agent_roles: z.record(z.string(), role).optional().describe('Agents, by their ids.'),
  prompts: z
    .record(z.string(), z.string())
    .optional()
    .describe('Prompts by their ids, as Liquid templates.'),
  workflows: z.record(z.string(), workflow).optional().describe('Flows, by their names.'),
};

/** A file. */
export const fileSchema: z.ZodType<WorkflowFile> = strictOf<WorkflowFile>(
  shape,
  'Workflows, roles and prompts of @vizprompt/workflow.',
);

/** The format as JSON Schema (draft 2020-12), for editors: `workflow.schema.json` of the package. */
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
