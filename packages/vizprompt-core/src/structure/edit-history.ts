import { StorageError } from '@vizprompt/providers';
import { VizPromptError } from '../errors.ts';
import type { StoredFlow } from '../flow/flow.ts';
import { readNodeXml } from '../node/read-node-xml.ts';
import type { Project } from '../project/project.ts';
import { putFiles } from '../write/commit.ts';
import {
  type EditHistory,
  type EditStep,
  forgetChanges,
  readStack,
  type StackedStep,
} from '../write/undo-history.ts';
import type { ForgetOptions, ReplayedEdit, ReplayOptions } from './options.ts';
import { type Replayed, replayStep } from './replay-step.ts';

/** Takes an edit back, or does one again, and tells about it. */
export async function replayEdit(
  project: Project,
  direction: 'undo' | 'redo',
  { ifStep }: ReplayOptions,
): Promise<ReplayedEdit | undefined> {
  const replayed = await project.write(async () => {
    const done = await replayStep(project, direction, ifStep).catch(asConflict);
    if (done) await putFiles(project, done.flows, done.nodes);
    return done;
  });
  return replayed && tell(project, replayed);
}

/** A file that changed between being read and being written, by somebody who takes no lock. */
function asConflict(error: unknown): never {
  if (!StorageError.isInstance(error) || error.code !== 'conflict') throw error;
  throw new VizPromptError('conflict', `${error.message}: try again`, {
    cause: error,
    context: error.context,
  });
}

function tell({ events, known }: Project, { step, flows, nodes }: Replayed): ReplayedEdit {
  for (const { file, id, text, version } of nodes) {
    if (text === null) events.emit('node:deleted', { id });
    else events.emit('node:created', { node: { ...readNodeXml(file, text), file, version } });
  }
  const restored: StoredFlow[] = [];
  const deletedFlows: string[] = [];
  for (const { file, version, entry, isNew, id } of flows) {
    if (entry?.flow) {
      const flow = { ...entry.flow, file, version };
      known.rememberFlow(version, flow);
      events.emit(isNew ? 'flow:created' : 'flow:updated', { flow });
      restored.push(flow);
    } else {
      events.emit('flow:deleted', { id });
      deletedFlows.push(id);
    }
  }
  return { step: shown(step), flows: restored, deletedFlows };
}

/** What can be undone and done again. */
export async function listEdits({ files }: Project): Promise<EditHistory> {
  const { undo, redo } = await readStack(files);
  return { undo: undo.map(shown), redo: redo.map(shown) };
}

/** Deletes the history, or one step of it. */
export async function forgetEdits(project: Project, { step }: ForgetOptions): Promise<void> {
  await project.write(async () => {
    await project.files.writeMany(await forgetChanges(project.files, step));
  });
}

function shown({ id, label, time, flows }: EditStep | StackedStep): EditStep {
  return { id, label, time, flows };
}
