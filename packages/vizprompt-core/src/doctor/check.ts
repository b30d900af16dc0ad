import { problemOf } from '../errors.ts';
import { compareFiles } from '../format/layout.ts';
import { CONFIG_FILE } from '../project/config.ts';
import { parseConfig, settleStoredConfig } from '../project/read-config.ts';
import type { Project } from '../project/project.ts';
import { checkCache, checkMaps, checkMetadata } from './check-derived.ts';
import {
  type CheckOptions,
  type CheckReport,
  type Finding,
  type Found,
  PROPOSALS,
} from './findings.ts';
import { ProjectScan, type Versions, versionsOf } from './project-scan.ts';

/**
 * Reads all files and compares them with each other. Others may write meanwhile: only at the end, for
 * what has changed since and for what is derived, they wait, unless the project is open to be read alone.
 */
export async function check(project: Project, { signal }: CheckOptions): Promise<CheckReport> {
  project.assertOpen();
  const scan = new ProjectScan(project);
  await scan.update(signal);
  const compare = async (): Promise<CheckReport> => {
    await scan.update(signal);
    await scan.findLost();
    return report(scan, await findAll(project, scan));
  };
  return project.isReadOnly ? compare() : project.write(compare);
}

/** Finds all problems. The caller holds the project lock, where there is one. */
async function findAll(project: Project, scan: ProjectScan): Promise<Found[]> {
  const versions = versionsOf(scan);
  return [
    ...[...scan.nodes.values()].flatMap(({ findings }) => findings),
    ...[...scan.flows.values()].flatMap(({ findings }) => findings),
    ...checkGraph(scan, versions),
    ...(await checkMaps(project, scan, versions)),
    ...(await checkMetadata(project, scan, versions)),
    // To be read alone, it has a cache of its own, which no other process sees.
    ...(project.isReadOnly ? [] : await checkCache(project, scan, versions)),
    ...(await checkConfig(project)),
  ];
}

function report({ nodes, flows }: ProjectScan, found: readonly Found[]): CheckReport {
  const findings = found.map((finding): Finding => ({ ...finding, line: finding.line ?? 1 }));
  const order = (a: Finding, b: Finding): number => compareFiles(a.file, b.file) || a.line - b.line;
  return {
    findings: findings.toSorted(order),
    nodes: nodes.size,
    flows: flows.size,
    isHealthy: findings.every(({ severity }) => severity === 'info'),
  };
}

/** Checks the settings: with broken ones the project could not be opened the next time. */
async function checkConfig({ files }: Project): Promise<Found[]> {
  const repair = PROPOSALS.settings;
  try {
    const stored = await files.read(CONFIG_FILE);
    const settled = stored && (await settleStoredConfig(stored));
    if (settled) {
      const { isConflict, wrongBytes } = settled;
      const message = isConflict
        ? 'git left both sides of a merge in the settings'
        : (wrongBytes ?? 'the settings have a slip of YAML here');
      const code = isConflict ? 'merge-conflict' : 'ill-formed';
      const place = { file: CONFIG_FILE, line: settled.line };
      const way = isConflict ? PROPOSALS.mergeConfig : PROPOSALS.mendConfig;
      return [{ code, severity: 'error', ...place, message, repair: way }];
    }
    if (stored) await parseConfig(stored.text);
    return [];
  } catch (error) {
    return [{ ...problemOf(CONFIG_FILE, error), code: 'ill-formed', repair }];
  }
}

/** Checks references between nodes and flows. */
function checkGraph(scan: ProjectScan, versions: Versions): Found[] {
  return [
    ...missingNodes(scan, versions),
    ...orphans(scan, versions),
    ...nodeVersions(versions),
    ...sameFlows(scan),
    ...missingAttachments(scan),
  ];
}

function missingNodes({ flows, nodes: files, lost }: ProjectScan, versions: Versions): Found[] {
  const conflicting = new Set([...files.values()].flatMap((file) => file.conflicting ?? []));
  const broken = new Set([...files.values()].flatMap(({ brokenId }) => brokenId ?? []));
  return [...flows.values()].flatMap(({ nodes }) =>
    [...nodes].flatMap(([id, place]): Found[] => {
      if (versions.has(id) || conflicting.has(id)) return [];
      const message = `the node ${id} is in no file that can be read`;
      const awaited = lost.has(id) || broken.has(id);
      const repair = awaited ? PROPOSALS.awaitedNode : PROPOSALS.missingNode;
      return [{ code: 'missing-node', severity: 'warning', ...place, message, repair }];
    }),
  );
}

function orphans({ flows }: ProjectScan, versions: Versions): Found[] {
  const placed = new Set([...flows.values()].flatMap(({ nodes }) => [...nodes.keys()]));
  return [...versions].flatMap(([id, [first]]): Found[] => {
    if (placed.has(id) || !first) return [];
    const message = `the node ${id} is in no flow`;
    const repair = PROPOSALS.orphan;
    return [{ code: 'orphan', severity: 'info', file: first.file, message, repair }];
  });
}

function nodeVersions(versions: Versions): Found[] {
  return [...versions].flatMap(([id, [current, ...older]]) =>
    older.map(({ file }): Found => {
      const message = `the node ${id} is in ${current?.file ?? ''} too, which is the newer version`;
      return { code: 'duplicate-id', severity: 'info', file, message, repair: PROPOSALS.versions };
    }),
  );
}

/** Flows that share an id or an alias: the first of them is used. */
export function sameFlows({ flows }: Pick<ProjectScan, 'flows'>): Found[] {
  const firsts = new Map<string, string>();
  const sorted = [...flows.values()].toSorted((a, b) => compareFiles(a.file, b.file));
  return sorted.flatMap(({ file, flow }): Found[] => {
    if (!flow) return [];
    const names = [
      ['duplicate-id', 'id', flow.id, PROPOSALS.newId],
      ['duplicate-alias', 'alias', flow.alias, PROPOSALS.newAlias],
    ] as const;
    return names.flatMap(([code, field, name, repair]): Found[] => {
      if (name === undefined) return [];
      const key = `${field} ${name}`;
      const first = firsts.get(key);
      if (first === undefined) firsts.set(key, file);
      if (first === undefined) return [];
      const message = `the ${field} '${name}' is that of ${first} too, which is used`;
      return [{ code, severity: 'warning', file, message, repair }];
    });
  });
}

function missingAttachments({ nodes, attachments }: ProjectScan): Found[] {
  return [...nodes.values()].flatMap(({ file, attachments: named }) =>
    named.flatMap(({ path, line }): Found[] => {
      if (attachments.has(path)) return [];
      const message = `the attachment ${path} is not there`;
      const repair = PROPOSALS.attachment;
      return [{ code: 'missing-attachment', severity: 'warning', file, line, message, repair }];
    }),
  );
}
