import { createId, type FileChange, type FileStore } from '@vizprompt/providers';
import { readFlowFile } from '../flow/flow-file.ts';
import { readNodeXml } from '../node/read-node-xml.ts';
import { isOfKind } from '../project/layout.ts';
import type { Project } from '../project/project.ts';
import { formatTime } from '../project/time.ts';
import { encodeStep, ignoreChange, readStack, stackChange, stepFile } from './history-files.ts';
import type { FileStep, NodeFileStep, StackedStep } from './step.ts';

/** Bytes of all steps together; the newest stays, whatever it takes. */
const MAX_BYTES = 32_000_000;

/**
 * The changes by which an edit can be undone, to be written in one batch with the edit itself. What
 * was undone before cannot be done again after it, and the oldest steps beyond the limit are dropped.
 *
 * @param label - What is done, such as `connectNodes`.
 * @param writes - The edit.
 */
export async function recordStep(
  project: Project,
  label: string,
  writes: readonly FileChange[],
): Promise<readonly FileChange[]> {
  const { files, undoSteps, clock } = project;
  if (undoSteps === 0) return [];
  const flows = await fileSteps(
    files,
    writes.filter(({ key }) => isOfKind('flows', key)),
  );
  const nodes = await nodeSteps(
    project,
    writes.filter(({ key }) => isOfKind('nodes', key)),
  );
  const data = await encodeStep({ flows, nodes });
  const step: StackedStep = {
    id: createId(),
    label,
    time: formatTime(clock()),
    flows: flows.map(({ file, before, after }) => flowIdIn(file, before ?? after ?? '')),
    bytes: data.length,
  };
  const { undo, redo } = await readStack(files);
  const all = [...undo, step];
  const kept = newest(all, undoSteps);
  const dropped = [...all.slice(0, all.length - kept.length), ...redo];
  return [
    ...(await ignoreChange(files)),
    { key: stepFile(step.id), content: data },
    stackChange({ undo: kept, redo: [] }),
    ...dropped.map(({ id }): FileChange => ({ key: stepFile(id), content: null })),
  ];
}

/** The id of a flow; a file of the usual form need not be parsed for that. */
function flowIdIn(file: string, text: string): string {
  const [, id] = /^id: ([0-9a-f-]{36})$/m.exec(text) ?? [];
  return id ?? readFlowFile(file, text).flow.id;
}

function newest(steps: readonly StackedStep[], limit: number): readonly StackedStep[] {
  let bytes = 0;
  const from = steps.findLastIndex((step, at) => {
    bytes += step.bytes;
    const isLast = at === steps.length - 1;
    return steps.length - at > limit || (bytes > MAX_BYTES && !isLast);
  });
  return steps.slice(from + 1);
}

async function fileSteps(files: FileStore, writes: readonly FileChange[]): Promise<FileStep[]> {
  const steps: FileStep[] = [];
  for (const { key, content, ifVersion } of writes) {
    const stored = ifVersion === null ? null : await files.read(key);
    const after = typeof content === 'string' ? content : null;
    steps.push({ file: key, before: stored?.text ?? null, after });
  }
  return steps;
}

async function nodeSteps(
  { files, index }: Project,
  writes: readonly FileChange[],
): Promise<NodeFileStep[]> {
  const steps = await fileSteps(files, writes);
  const rows = await index.nodes.filed(steps.map(({ file }) => file));
  const keywords = new Map(rows.map((row) => [row.file, row.keywords]));
  return steps.map((step) => ({
    ...step,
    id: readNodeXml(step.file, step.before ?? step.after ?? '').id,
    keywords: keywords.get(step.file) ?? [],
  }));
}
