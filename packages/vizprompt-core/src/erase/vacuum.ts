import { type ErasureReport, type FileChange, purgeStorage } from '@vizprompt/providers';
import { ErasureCounts } from '@vizprompt/providers/internal';
import { isProjectPlace } from '../format/layout.ts';
import { refresh } from '../index/refresh.ts';
import { attachmentKeys } from '../node/attachments.ts';
import type { VizNode } from '../node/node.ts';
import { readHealthyNode } from '../node/read-node-xml.ts';
import type { Project } from '../project/project.ts';
import { writeMaps, writeMetadataLocked } from '../write/metadata-files.ts';
import { forgetChanges } from '../write/undo-history.ts';
import { LOST_AND_FOUND, nodeFiles, orphanedAttachments, remainsOf } from './erase-files.ts';
import type { VacuumOptions } from '../method-options.ts';

/**
 * Removes all remains of deleted or replaced data.
 *
 * @param folder - The folder of the project; absent on a storage of the caller.
 */
export async function vacuum(
  project: Project,
  folder: string | undefined,
  options: VacuumOptions,
): Promise<ErasureReport> {
  const { dryRun = false } = options;
  const counts = new ErasureCounts();
  const report = (): ErasureReport => {
    return { dryRun, erased: counts.list(), remains: remainsOf(project, folder) };
  };
  const changes = async (): Promise<readonly FileChange[]> => {
    const found = await leftovers(project, options);
    for (const [place, list] of Object.entries(found)) counts.add(place, list.length);
    return Object.values(found).flat();
  };
  if (dryRun) {
    await changes();
    return report();
  }
  await project.write(async () => {
    await refresh(project);
    const gone = await changes();
    if (gone.length > 0) {
      const versions = await project.files.writeMany(gone);
      project.selfWrites.note(gone, versions);
    }
    await writeMaps(project);
    await writeMetadataLocked(project);
  });
  await purgeStorage(project.storage);
  return report();
}

async function leftovers(
  project: Project,
  { keepHistory = false, keepLostAndFound = false }: VacuumOptions,
): Promise<Readonly<Record<string, readonly FileChange[]>>> {
  const { files } = project;
  const history = keepHistory ? [] : await forgetChanges(files);
  const aside: FileChange[] = [];
  if (!keepLostAndFound) {
    for await (const { key } of files.list(LOST_AND_FOUND)) {
      // Any other file there belongs to another program.
      if (isProjectPlace(key)) aside.push({ key, content: null });
    }
  }
  // Files that the history or a file set aside names may come back.
  const mayNameMore = keepHistory || keepLostAndFound;
  const orphaned = mayNameMore ? [] : await orphanedAttachments(project, await namedFiles(project));
  return {
    history,
    'lost+found': aside,
    attachments: orphaned.map((key) => ({ key, content: null })),
  };
}

async function namedFiles(project: Project): Promise<ReadonlySet<string>> {
  const named = new Set<string>();
  for (const file of await nodeFiles(project)) {
    const node: VizNode | undefined = await readHealthyNode(project, file);
    for (const key of node ? attachmentKeys([node]) : []) named.add(key);
  }
  return named;
}
