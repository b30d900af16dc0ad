import { isOfKind } from '../format/layout.ts';
import { refresh } from '../index/refresh.ts';
import { readNodeXml } from '../node/read-node-xml.ts';
import type { Project } from '../project/project.ts';
import { writeMaps } from '../write/map-files.ts';
import { adoptKeywords, writeMetadataLocked } from '../write/metadata-files.ts';
import type { CheckReport, Finding, RepairAction, RepairOptions, RepairReport } from './finding.ts';
import { FlowNames } from './flow-names.ts';
import { RepairBatch } from './repair-batch.ts';
import { repairFlow } from './repair-flow.ts';
import { repairNode } from './repair-node.ts';

const OF_DERIVED: ReadonlySet<string> = new Set<RepairAction>([
  'write-maps',
  'write-metadata',
  'refresh-cache',
]);

const OF_NODES: readonly RepairAction[] = ['split-node', 'mend-node', 'set-aside'];

/** Does what findings propose; each file is looked at again first, as it may have changed since. */
export async function repair(
  project: Project,
  plan: CheckReport | readonly Finding[],
  { missingNodes = 'remove' }: RepairOptions,
): Promise<RepairReport> {
  project.assertOpen();
  const findings = 'findings' in plan ? plan.findings : plan;
  const isChosen = ({ repair: { action } }: Finding): boolean =>
    action !== 'none' && (action !== 'remove-missing' || missingNodes === 'remove');
  const chosen = findings.filter(isChosen);
  if (chosen.length === 0) return { repaired: [], left: findings, written: [], setAside: [] };
  return project.write(async () => {
    const stale = chosen.filter(({ repair: { action } }) => action === 'refresh-cache');
    await forgetVersions(
      project,
      stale.map(({ file }) => file),
    );
    await refresh(project);
    const batch = await RepairBatch.begin(project);
    const done = await repairFiles(project, batch, chosen);
    const files = await batch.write();
    if (files.length > 0) await refresh(project);
    await adoptKeywords(project);
    const written = [
      ...files,
      ...(await writeMaps(project)),
      ...(await writeMetadataLocked(project)),
    ];
    const isDone = (finding: Finding): boolean =>
      isChosen(finding) && (OF_DERIVED.has(finding.repair.action) || done.has(finding.file));
    return {
      repaired: findings.filter(isDone),
      left: findings.filter((finding) => !isDone(finding)),
      written,
      setAside: batch.setAside,
    };
  });
}

/** What the cache knows of these files counts as outdated, so that they are read again. */
async function forgetVersions({ index: { database } }: Project, files: string[]): Promise<void> {
  const statements = files.map((file) => ({
    sql: `UPDATE ${isOfKind('nodes', file) ? 'core_node' : 'core_flow'} SET version = '' WHERE file = ?`,
    params: [file],
  }));
  if (statements.length > 0) await database.batch(statements);
}

type Actions = ReadonlySet<RepairAction | 'none'>;

function actionsByFile(findings: readonly Finding[]): ReadonlyMap<string, Actions> {
  const found = new Map<string, Set<RepairAction | 'none'>>();
  for (const { file, repair: proposal } of findings) {
    found.set(file, (found.get(file) ?? new Set()).add(proposal.action));
  }
  return found;
}

/** @returns The files for which there was something to do. */
async function repairFiles(
  project: Project,
  batch: RepairBatch,
  findings: readonly Finding[],
): Promise<ReadonlySet<string>> {
  const done = new Set<string>();
  const added = new Set<string>();
  const known = await project.index.nodes.ids();
  const flows: [file: string, actions: Actions][] = [];
  for (const [file, actions] of actionsByFile(findings)) {
    if (isOfKind('flows', file)) flows.push([file, actions]);
    if (!isOfKind('nodes', file) || !OF_NODES.some((action) => actions.has(action))) continue;
    const stored = await project.files.read(file);
    const outcome = stored && repairNode(file, stored);
    if (!stored || !outcome) continue;
    batch.add(file, stored, outcome);
    done.add(file);
    for (const text of [outcome.content, ...(outcome.newNodes ?? [])]) {
      if (text !== null) added.add(readNodeXml(file, text).id);
    }
  }
  const names = await FlowNames.load(project);
  for (const [file, actions] of flows) {
    if ([...actions].every((action) => OF_DERIVED.has(action))) continue;
    const stored = await project.files.read(file);
    const outcome =
      stored &&
      repairFlow(file, stored, {
        isNode: (id) => known.has(id) || added.has(id),
        createId: project.createId,
        freeAlias: (alias) => names.freeAlias(alias),
        ...names.needsOf(file, actions.has('rename-flow')),
        removesMissing: actions.has('remove-missing'),
      });
    if (!stored || !outcome) continue;
    batch.add(file, stored, outcome);
    done.add(file);
  }
  return done;
}
