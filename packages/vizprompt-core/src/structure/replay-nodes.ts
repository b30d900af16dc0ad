import type { FileChange } from '@vizprompt/providers';
import type { Project } from '../project/project.ts';
import { allocateFiles } from '../write/allocate-file-numbers.ts';
import type { NodeFileStep } from '../write/undo-history.ts';
import type { FlowReplay } from './replay-flow.ts';

/** A node file that is written or deleted, and the keywords that go with it. */
export interface NodeReplay {
  readonly write: FileChange;
  readonly id: string;
  readonly keywords: readonly string[];
}

/**
 * What is done to node files when an edit is taken back or done again. Nothing that is said gets
 * lost: a node that was changed since or that a flow has by now is not deleted, one that is there
 * again is not written over, and one whose file is taken gets another.
 *
 * @param flows - The flows that are changed with them, as they are then; without a flow it is deleted.
 */
export async function replayNodes(
  project: Project,
  changes: readonly NodeFileStep[],
  flows: readonly Pick<FlowReplay, 'write' | 'entry'>[],
): Promise<NodeReplay[]> {
  const { files, index } = project;
  const restored = await placesOf(project, changes);
  const replays: NodeReplay[] = restored.map(({ key, change: { id, after, keywords } }) => {
    return { write: { key, content: after, ifVersion: null }, id, keywords };
  });
  const deleted = new Set<string>();
  const changed = new Set(flows.map(({ write }) => write.key));
  const needed = new Set(flows.flatMap(({ entry }) => entry?.flow?.nodes.map((n) => n.id) ?? []));
  for (const { id, before, after } of changes) {
    if (after !== null) continue;
    if (needed.has(id) || (await index.flows.filesWith(id)).some((file) => !changed.has(file))) {
      continue;
    }
    for (const file of await index.nodes.filesOf(id)) {
      const stored = await files.read(file);
      if (stored?.text !== before || deleted.has(file)) continue;
      deleted.add(file);
      const write = { key: file, content: null, ifVersion: stored.version };
      replays.push({ write, id, keywords: [] });
    }
  }
  return replays;
}

/** Where nodes that are not there get their files back: where those were, or if others took that, behind all. */
async function placesOf(
  project: Project,
  changes: readonly NodeFileStep[],
): Promise<{ key: string; change: NodeFileStep }[]> {
  const { files, index } = project;
  const made = changes.filter(({ after }) => after !== null);
  const there = new Set((await index.nodes.rowsOf(made.map(({ id }) => id))).map(({ id }) => id));
  const restored = made.filter(({ id }) => !there.has(id));
  const taken = new Set<string>();
  for (const { file } of restored) if (await files.read(file)) taken.add(file);
  const wanted = new Set(restored.map(({ file }) => file));
  const count = taken.size > 0 ? taken.size + wanted.size : 0;
  const free = (await allocateFiles(project, 'nodes', count)).filter((file) => !wanted.has(file));
  return restored.map((change) => {
    const key = taken.has(change.file) ? (free.shift() ?? change.file) : change.file;
    return { key, change };
  });
}
