import { problemOf } from '../errors.ts';
import { compareFiles } from '../format/layout.ts';
import { CONFIG_FILE, parseConfig } from '../project/config.ts';
import type { Project } from '../project/project.ts';
import { checkCache, checkMaps, checkMetadata } from './check-derived.ts';
import { checkGraph, versionsOf } from './check-graph.ts';
import {
  type CheckOptions,
  type CheckReport,
  type Finding,
  type Found,
  PROPOSALS,
} from './findings.ts';
import { ProjectScan } from './project-scan.ts';

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
    // To be read alone, it has a cache of its own, which nobody else sees.
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
    if (stored) await parseConfig(stored.text);
    return [];
  } catch (error) {
    return [{ ...problemOf(CONFIG_FILE, error), code: 'ill-formed', repair }];
  }
}
