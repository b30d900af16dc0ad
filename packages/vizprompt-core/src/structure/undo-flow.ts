import type { FileChange, StoredFile } from '@vizprompt/providers';
import { VizPromptError } from '../errors.ts';
import { type FlowFile, writeFlowYaml } from '../flow/flow-file.ts';
import { readFlow } from '../flow/read-flow.ts';
import { compareFlows, describeFlowChange, type FlowChange, type Flow } from '../flow/flow.ts';
import { formatTime } from '../format/ids-and-times.ts';
import { parseFlow } from '../index/refresh.ts';
import type { Project } from '../project/project.ts';
import { allocateFiles, type WrittenFlow } from '../write/commit.ts';
import type { EditStep, FileStep } from '../write/undo-history.ts';
import { type Contradiction, rebaseFlow } from './rebase-flow.ts';

/** The change of a flow file by an undo or redo. */
export interface FlowReplay extends Pick<WrittenFlow, 'id' | 'entry' | 'before'> {
  readonly write: FileChange;
  /** The file as it was and as it is then: the next time, the change is this one. */
  readonly change: FileStep;
  /** True if that is not what the step says, because the flow has changed since. */
  readonly isRebased: boolean;
}

/** A flow that a step changed. */
export interface FlowToReplay {
  readonly step: EditStep;
  readonly direction: 'undo' | 'redo';
  /** The id of the flow. */
  readonly id: string;
  /** The change as it is to be made now. */
  readonly change: FileStep;
}

/**
 * Returns the change of a flow that undoes or redoes an edit. A file that is as the edit
 * left it gets the very bytes that it had. One that has changed since gets the change, and keeps what
 * came since; where it was moved, it is found.
 *
 * @returns `undefined` if the flow is to go and is gone already.
 * @throws VizPromptError with the code `conflict`, and what has changed, if change and present flow
 * contradict each other.
 */
export async function replayFlow(
  project: Project,
  asked: FlowToReplay,
): Promise<FlowReplay | undefined> {
  const { files, index, known } = project;
  const { id, change } = asked;
  const { file, before, after } = change;
  const stored = await files.read(file);
  if ((stored?.text ?? null) === before) {
    const version = stored?.version ?? null;
    const isIndexed = version !== null && (await index.flows.versionOf(file)) === version;
    const old = isIndexed ? known.flow(version) : undefined;
    return {
      ...(await writing(id, change, version)),
      ...(old ? { before: old } : {}),
      isRebased: false,
    };
  }
  if (before === null) {
    const [free = file] = await allocateFiles(project, 'flows', 1);
    return { ...(await writing(id, { ...change, file: free }, null)), isRebased: true };
  }
  const now = await presentFlow(project, asked);
  if (!now && after === null) return undefined;
  if (!now) throw contradicted(asked, 'it is gone', 'there is nothing to change');
  if (now.text === before) {
    return { ...(await writing(id, { ...change, file: now.file }, now.version)), isRebased: true };
  }
  const { flow: was } = await readFlow(file, before);
  const changed = compareFlows(was, now.flow);
  if (after === null) {
    const instead = 'deleteFlow() deletes it as it is';
    throw contradicted(asked, changed, { text: 'it would be deleted with all that', instead });
  }
  const wanted = await readFlow(file, after);
  const flow = rebaseFlow({ before: was, after: wanted.flow, now: now.flow });
  if ('instead' in flow) throw contradicted(asked, changed, flow);
  const dated = { ...flow, updated: formatTime(project.clock()) };
  const isIndexed = (await index.flows.versionOf(now.file)) === now.version;
  const text = await textOf(dated, now, wanted);
  return {
    ...(await writing(id, { file: now.file, before: now.text, after: text }, now.version)),
    ...(isIndexed ? { before: now.flow } : {}),
    isRebased: true,
  };
}

/** Returns a flow in the form that its file has now, with what was next to those parts that come back. */
async function textOf(
  flow: Flow,
  { withIds, document: own }: FlowFile,
  { document }: FlowFile,
): Promise<string> {
  const whole = own ?? document;
  if (!whole) return writeFlowYaml(flow, { withIds });
  const { writeFlowFile } = await import('../flow/flow-document.ts');
  return writeFlowFile({ flow, withIds, document: whole }, document);
}

async function writing(
  id: string,
  change: FileStep,
  version: string | null,
): Promise<Pick<FlowReplay, 'id' | 'write' | 'change' | 'entry'>> {
  const { file, after } = change;
  return {
    id,
    change,
    write: { key: file, content: after, ifVersion: version },
    ...(after === null ? {} : { entry: await parseFlow(file, { text: after, version: '' }) }),
  };
}

type PresentFlow = FlowFile & Pick<StoredFile, 'text' | 'version'> & { readonly file: string };

/** Returns the flow as it is, in the file where the step left it or in another. */
async function presentFlow(
  { files, index }: Project,
  asked: FlowToReplay,
): Promise<PresentFlow | undefined> {
  const { id, change } = asked;
  for (const file of new Set([change.file, ...(await index.flows.find(id))])) {
    const stored = await files.read(file);
    if (!stored) continue;
    try {
      const read = await readFlow(file, stored.text);
      const { text, version } = stored;
      if (read.flow.id === id) return { ...read, text, version, file };
    } catch (error) {
      if (!VizPromptError.isInstance(error)) throw error;
      throw contradicted(asked, error.message, 'repair() settles that');
    }
  }
  return undefined;
}

function contradicted(
  { step, direction, change: { file } }: FlowToReplay,
  changed: FlowChange | string,
  reason: Contradiction | string,
): VizPromptError {
  const what = typeof changed === 'string' ? changed : describeFlowChange(changed);
  const why = typeof reason === 'string' ? reason : `${reason.text}. ${reason.instead}`;
  return new VizPromptError(
    'conflict',
    `cannot ${direction} '${step.label}' of ${step.time}: ${file} was changed since: ${what}; ${why}. ` +
      `structure.forget({ step: '${step.id}' }) leaves this edit as it is`,
    {
      context: {
        step: step.id,
        label: step.label,
        file,
        ...(typeof changed === 'string' ? {} : { changed }),
      },
    },
  );
}
