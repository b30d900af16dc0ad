import { createHash } from 'node:crypto';
import { nextSlot, type NumberedKind, type Slot, slotFile } from '../format/layout.ts';
import { CONFIG_FILE } from '../project/config.ts';
import type { Project } from '../project/project.ts';

/**
 * The names that the next new files take: behind the last one of all or, in a project that is shared,
 * in the folder of this clone. The caller holds the project lock.
 */
export async function allocateFiles(
  project: Project,
  kind: NumberedKind,
  count: number,
): Promise<string[]> {
  if (count === 0) return [];
  const isShared = project.config.settings.sharing === 'git';
  const slots = isShared
    ? await allocateInOwnFolder(project, kind, count)
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

/** The folders that writers choose from: all of eight hexadecimal digits. */
const FIRST = 0x1000_0000;
const COUNT = 0xf000_0000;

/**
 * The places of the next new files of this clone, one behind the other in a folder that nobody else
 * writes to. One that is full is left for the next. The caller holds the project lock.
 */
async function allocateInOwnFolder(
  project: Project,
  kind: NumberedKind,
  count: number,
): Promise<Slot[]> {
  const { index, config } = project;
  const { maxFilesPerFolder } = config.settings;
  const writer = await writerId(project);
  const claim = `folder:${kind}`;
  const known = await index.state.get(claim);
  const [owner, number] = known?.split(' ') ?? [];
  let folder = owner === writer ? Number(number) : await claimFolder(project, kind, writer);
  let last = await index[kind].lastSlot(folder);
  const slots: Slot[] = [];
  while (slots.length < count) {
    const next = last ? nextSlot(last, maxFilesPerFolder) : { folder, number: 0 };
    if (next.folder !== folder) {
      folder = await claimFolder(project, kind, writer, folder);
      last = undefined;
      continue;
    }
    slots.push(next);
    last = next;
  }
  await index.database.batch([index.state.set(claim, `${writer} ${folder}`)]);
  return slots;
}

/**
 * Who writes here. It is known in the cache alone, as nothing is lost with it: the next one claims
 * another folder. It belongs to this very `config.yaml`, so that whoever copies the folder of a project,
 * cache and all, is another writer.
 */
async function writerId({ files, index, createId }: Project): Promise<string> {
  const config = await files.read(CONFIG_FILE);
  const place = config?.version ?? '';
  const [id, known] = (await index.state.get('writer'))?.split(' ') ?? [];
  if (id !== undefined && known === place) return id;
  const created = createId();
  await index.database.batch([index.state.set('writer', `${created} ${place}`)]);
  return created;
}

/**
 * Probes folders in an order of the writer's own until one is not used. Two clones that know nothing of
 * each other take the same one with a chance of 1 to 4 billion; git then reports a conflict, which
 * `repair` settles.
 *
 * @param full - One that has been used up in this moment, which the index does not know yet.
 */
async function claimFolder(
  { index }: Project,
  kind: NumberedKind,
  writer: string,
  full?: number,
): Promise<number> {
  for (let probe = 0; ; probe++) {
    const digest = createHash('sha256').update(`${writer} ${probe}`).digest();
    const folder = FIRST + (digest.readUInt32BE(0) % COUNT);
    if (folder !== full && !(await index[kind].lastSlot(folder))) return folder;
  }
}
