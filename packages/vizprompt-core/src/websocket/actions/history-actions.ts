import { z } from 'zod';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import type { ReplayedEdit } from '../../structure/options.ts';
import { wireFlow } from '../wire/flow.ts';
import { toWireStep, wireStep } from '../wire/step.ts';
import { type Action, defineAction } from './define-action.ts';

const data = z.strictObject({
  if_step: z
    .string()
    .exactOptional()
    .describe('The id of the step that is meant: if another is the next, the answer is conflict'),
});

const answer = {
  step: wireStep.exactOptional().describe('Absent if there was nothing'),
  flows: z.array(wireFlow).describe('As they are now'),
  deleted_flow_ids: z.array(z.string()).describe('Flows that are gone by it'),
};

const undo = defineAction({
  name: 'undo',
  summary: 'Takes the last edit of the structure back, whoever made it; what came since stays',
  data,
  answer,
  async run({ vizprompt }, { if_step: ifStep }) {
    return { data: toAnswer(await vizprompt.structure.undo(defined({ ifStep }))) };
  },
});

const redo = defineAction({
  name: 'redo',
  summary: 'Does the edit that was taken back last again',
  data,
  answer,
  async run({ vizprompt }, { if_step: ifStep }) {
    return { data: toAnswer(await vizprompt.structure.redo(defined({ ifStep }))) };
  },
});

const listEdits = defineAction({
  name: 'list_edits',
  summary: 'The edits that can be undone and done again, the next one last',
  data: z.strictObject({}),
  answer: { undo: z.array(wireStep), redo: z.array(wireStep) },
  async run({ vizprompt }) {
    const history = await vizprompt.structure.history();
    return { data: { undo: history.undo.map(toWireStep), redo: history.redo.map(toWireStep) } };
  },
});

function toAnswer(replayed: ReplayedEdit | undefined): object {
  if (!replayed) return { flows: [], deleted_flow_ids: [] };
  const { step, flows, deletedFlows } = replayed;
  return { step: toWireStep(step), flows, deleted_flow_ids: deletedFlows };
}

export const HISTORY_ACTIONS: readonly Action[] = [undo, redo, listEdits];
