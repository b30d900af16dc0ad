import {
  defineWorkflow,
  type DefinedWorkflow,
  type Step,
  type WorkflowFile,
  type WorkflowSource,
} from '@vizprompt/workflow';
import { expectTypeOf } from 'vitest';

const story = defineWorkflow<{ topic: string }, string>({
  name: 'story',
  steps: [
    { id: 'a', type: 'agent_interaction', agent_id: 'writer', prompt_id: 'draft' },
    { id: 'b', type: 'loop', maxRounds: 2, steps: [{ id: 'c', type: 'sleep', duration: '1s' }] },
  ],
});
expectTypeOf(story).toEqualTypeOf<DefinedWorkflow<{ topic: string }, string>>();
expectTypeOf(story).toExtend<WorkflowFile>();
expectTypeOf(story).toExtend<WorkflowSource>();
expectTypeOf<NonNullable<(typeof story)['~types']>>().toEqualTypeOf<{
  readonly input: { topic: string };
  readonly output: string;
}>();

/** As the engine has it. */
declare function start<Input, Output>(
  workflow: { readonly '~types'?: { readonly input: Input; readonly output: Output } },
  input: Input,
): Output;
expectTypeOf(start(story, { topic: '猫' })).toEqualTypeOf<string>();
// @ts-expect-error The input has another type.
start(story, '猫');

interface Topic {
  readonly topic: string;
}
const byInterface = defineWorkflow<Topic, string>({ name: 'story', steps: [] });
expectTypeOf(start(byInterface, { topic: '猫' })).toEqualTypeOf<string>();

export const wrong: readonly Step[] = [
  // @ts-expect-error A loop has an end.
  { id: 'a', type: 'loop', steps: [] },
  // @ts-expect-error A sleep knows no agents.
  { id: 'a', type: 'sleep', agent_id: 'x' },
  // @ts-expect-error There is no such type.
  { id: 'a', type: 'agent' },
];
