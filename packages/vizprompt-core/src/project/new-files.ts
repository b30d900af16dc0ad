import { claimSlots } from '../sharing/claim-slots.ts';
import { nextSlot, slotFile, type NumberedKind, type Slot } from './layout.ts';
import type { Project } from './project.ts';

/**
 * The names that the next new files take: behind the last one of all or, in a project that is shared,
 * in the folder of this clone. The caller holds the project lock.
 */
export async function newFiles(
  project: Project,
  kind: NumberedKind,
  count: number,
): Promise<string[]> {
  if (count === 0) return [];
  const isShared = project.config.settings.sharing === 'git';
  const slots = isShared
    ? await claimSlots(project, kind, count)
    : await nextSlots(project, kind, count);
  return slots.map((slot) => slotFile(kind, slot));
}

async function nextSlots(
  { config, index }: Project,
  kind: NumberedKind,
  count: number,
): Promise<Slot[]> {
  let slot = await index[kind].lastSlot();
  return Array.from({ length: count }, () => {
    slot = nextSlot(slot, config.settings.maxFilesPerFolder);
    return slot;
  });
}
