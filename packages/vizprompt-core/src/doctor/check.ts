import { compareFiles } from '../format/layout.ts';
import type { Project } from '../project/project.ts';
import { checkCache } from './check-cache.ts';
import { checkConfig } from './check-config.ts';
import { checkGraph, versionsOf } from './check-graph.ts';
import { checkMaps } from './check-maps.ts';
import { checkMetadata } from './check-metadata.ts';
import type { CheckOptions, CheckReport, Finding, Found } from './finding.ts';
import { Survey } from './survey.ts';

/**
 * Reads all files and compares them with each other. Others may write meanwhile: only at the end, for
 * what has changed since and for what is derived, they wait, unless the project is open to be read alone.
 */
export async function check(project: Project, { signal }: CheckOptions): Promise<CheckReport> {
  project.assertOpen();
  const survey = new Survey(project);
  await survey.update(signal);
  const compare = async (): Promise<CheckReport> => {
    await survey.update(signal);
    return report(survey, await findAll(project, survey));
  };
  return project.isReadOnly ? compare() : project.write(compare);
}

/** What there is to find. The caller holds the project lock, where there is one. */
async function findAll(project: Project, survey: Survey): Promise<Found[]> {
  const versions = versionsOf(survey);
  return [
    ...[...survey.nodes.values()].flatMap(({ findings }) => findings),
    ...[...survey.flows.values()].flatMap(({ findings }) => findings),
    ...checkGraph(survey, versions),
    ...(await checkMaps(project, survey, versions)),
    ...(await checkMetadata(project, survey, versions)),
    // To be read alone, it has a cache of its own, which nobody else sees.
    ...(project.isReadOnly ? [] : await checkCache(project, survey, versions)),
    ...(await checkConfig(project)),
  ];
}

function report({ nodes, flows }: Survey, found: readonly Found[]): CheckReport {
  const findings = found.map((finding): Finding => ({ ...finding, line: finding.line ?? 1 }));
  const order = (a: Finding, b: Finding): number => compareFiles(a.file, b.file) || a.line - b.line;
  return {
    findings: findings.toSorted(order),
    nodes: nodes.size,
    flows: flows.size,
    isHealthy: findings.every(({ severity }) => severity === 'info'),
  };
}
