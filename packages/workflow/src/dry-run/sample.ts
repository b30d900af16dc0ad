import type { JsonObject, JsonValue } from '@vizprompt/providers';
import type { Step, TeamStep } from '../definition/step.ts';
import { teamRules } from '../definition/team.ts';
import { agentCalls, allSteps } from '../definition/walk-steps.ts';
import type { WorkflowDefinition } from '../definition/workflow-file.ts';
import { variableTypes } from '../lint/value-types.ts';
import { variablesSet } from '../load/check-definitions.ts';

/** Returns a placeholder for a value that is not known yet. */
export function placeholder(name: string): string {
  return `⟨${name}⟩`;
}

/** Returns the variables of a workflow before it has run: its input, and placeholders of what steps will set. */
export function sampleVariables(workflow: WorkflowDefinition, input: JsonValue): JsonObject {
  const types = variableTypes(workflow);
  const variables = new Map<string, JsonValue>();
  for (const { step } of allSteps(workflow.steps)) {
    for (const { name } of variablesSet(step)) {
      variables.set(name, sampleOf(types.get(name), name));
    }
    if (step.type === 'loop') variables.set(step.as ?? 'round', 1);
    if (step.type === 'foreach' && step.indexAs !== undefined) variables.set(step.indexAs, 0);
  }
  return { ...Object.fromEntries(variables), errors: {}, user_input: input };
}

/** Returns the answers that a judge is shown. */
export function sampleAnswers(step: Step): JsonValue {
  return agentCalls(step)
    .filter(({ path }) => path[0] === 'agents_to_run')
    .map(({ call }, at) => ({
      number: at + 1,
      agent: call.agent_id,
      answer: placeholder(call.output_variable ?? call.agent_id),
    }));
}

/** Returns a sample of the variable `team` that the prompt of a member sees. */
export function sampleTeam(step: TeamStep): JsonValue {
  const names = Object.keys(step.members);
  return {
    member: names[0] ?? '',
    members: names.map((name) => ({ name })),
    turns: [
      { turn: 1, member: names[0] ?? '', says: placeholder('team.turns'), to: names[1] ?? '' },
    ],
    notes: {},
    turn: 2,
    maxTurns: teamRules(step).maxTurns,
  };
}

/** A value of a JSON Schema. */
function sampleOf(schema: JsonValue | undefined, name: string): JsonValue {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    return placeholder(name);
  }
  const { type, properties = {}, items, enum: values } = Object(schema);
  if (Array.isArray(values) && values.length > 0) return values[0];
  switch (type) {
    case 'number':
    case 'integer':
      return 0;
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'array':
      return [sampleOf(items, name)];
    case 'object': {
      const fields = Object.entries<JsonValue>(properties);
      if (fields.length === 0) return placeholder(name);
      return Object.fromEntries(
        fields.map(([key, field]) => [key, sampleOf(field, `${name}.${key}`)]),
      );
    }
    default:
      return placeholder(name);
  }
}
