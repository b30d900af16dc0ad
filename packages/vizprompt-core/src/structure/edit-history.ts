import { readFlowFile } from '../flow/flow-file.ts';
import { putFiles, type WrittenFile } from '../index/put-files.ts';
import { readNodeXml } from '../node/read-node-xml.ts';
import type { Project } from '../project/project.ts';
import { forgetChanges, readStack, type StackedStep } from './history-files.ts';
import type { ReplayedEdit, ReplayOptions } from './options.ts';
import { replayStep, type Replayed } from './replay-step.ts';
import type { EditHistory, EditStep } from './step.ts';

/** Takes an edit back, or does one again, and tells about it. */
export async function replayEdit(
  project: Project,
  direction: 'undo' | 'redo',
  { ifStep }: ReplayOptions,
): Promise<ReplayedEdit | undefined> {
  const replayed = await project.write(async () => {
    const done = await replayStep(project, direction, ifStep);
    if (done) await putFiles(project, done.flows, done.nodes);
    return done;
  });
  return replayed && tell(project, replayed);
}

function tell({ events, known }: Project, { step, flows, nodes }: Replayed): ReplayedEdit {
  for (const { file, text, version, before } of nodes) {
    if (text === null) events.emit('node:deleted', { id: readNodeXml(file, before ?? '').id });
    else events.emit('node:created', { node: { ...readNodeXml(file, text), file, version } });
  }
  const deletedFlows: string[] = [];
  const restored = flows.flatMap(({ file, text, version, before }: WrittenFile) => {
    if (text === null) {
      const { id } = readFlowFile(file, before ?? '').flow;
      deletedFlows.push(id);
      events.emit('flow:deleted', { id });
      return [];
    }
    const flow = { ...readFlowFile(file, text).flow, file, version };
    known.rememberFlow(version, flow);
    events.emit(before === null ? 'flow:created' : 'flow:updated', { flow });
    return [flow];
  });
  return { step: shown(step), flows: restored, deletedFlows };
}

/** What can be undone and done again. */
export async function listEdits({ files }: Project): Promise<EditHistory> {
  const { undo, redo } = await readStack(files);
  return { undo: undo.map(shown), redo: redo.map(shown) };
}

/** Deletes the history. */
export async function forgetEdits(project: Project): Promise<void> {
  await project.write(async () => {
    await project.files.writeMany(await forgetChanges(project.files));
  });
}

function shown({ id, label, time, flows }: EditStep | StackedStep): EditStep {
  return { id, label, time, flows };
}
