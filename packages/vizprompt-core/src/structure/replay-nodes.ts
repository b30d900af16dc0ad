import type { FileChange } from '@vizprompt/providers';
import { nextSlot, slotFile } from '../project/layout.ts';
import type { Project } from '../project/project.ts';
import type { NodeFileStep } from './step.ts';

/** A node file that is written or deleted, and the keywords that go with it. */
export interface NodeReplay {
  readonly write: FileChange;
  readonly id: string;
  readonly keywords: readonly string[];
}

/**
 * What is done to node files when an edit is taken back or done again. Nothing that is said gets
 * lost: a node that was changed since is not deleted, one that is there again is not written over,
 * and one whose file is taken gets another.
 */
export async function replayNodes(
  { files, index, config }: Project,
  changes: readonly NodeFileStep[],
): Promise<NodeReplay[]> {
  const replays: NodeReplay[] = [];
  const restored = changes.filter(({ after }) => after !== null);
  const there = new Set(
    (await index.nodes.rowsOf(restored.map(({ id }) => id))).map(({ id }) => id),
  );
  let slot = await index.nodes.lastSlot();
  for (const { file, id, after, keywords } of restored) {
    if (there.has(id)) continue;
    let key = file;
    if (await files.read(file)) {
      slot = nextSlot(slot, config.settings.maxFilesPerFolder);
      key = slotFile('nodes', slot);
    }
    replays.push({ write: { key, content: after, ifVersion: null }, id, keywords });
  }
  const deleted = new Set<string>();
  for (const { id, before, after } of changes) {
    if (after !== null) continue;
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
