import { toStorable } from '@vizprompt/providers';
import { parseList } from '../index/node-index.ts';
import type { Project } from '../project/project.ts';
import type { Versions } from './check-graph.ts';
import type { Found } from './finding.ts';
import { PROPOSALS } from './proposals.ts';
import type { Survey } from './survey.ts';

interface Row {
  readonly file: string;
  readonly version: string;
  /** All else that is known of the file, to compare. */
  readonly content: string;
}

/** Compares the index in the cache with the files. */
export async function checkCache(
  { index: { database } }: Project,
  survey: Survey,
  versions: Versions,
): Promise<Found[]> {
  const nodeRows = await database.query<Readonly<Record<string, string | number | null>>>(
    'SELECT file, version, id, timestamp, is_current, model, summary, tags FROM core_node',
  );
  const flowRows = await database.query<Readonly<Record<string, string | number | null>>>(
    'SELECT file, version, id, alias, name, nodes, connections FROM core_flow',
  );
  const known = [
    ...nodeRows.map(({ file, version, tags, ...rest }) =>
      row(
        file,
        version,
        rest['id'] === null ? [] : [...valuesOf(rest), ...parseList(String(tags))],
      ),
    ),
    ...flowRows.map(({ file, version, ...rest }) =>
      row(file, version, rest['id'] === null ? [] : valuesOf(rest)),
    ),
  ];
  const wanted = new Map(
    [...nodesOf(survey, versions), ...flowsOf(survey)].map((r) => [r.file, r]),
  );
  const findings: Found[] = [];
  const add = (file: string, message: string): void => {
    const repair = PROPOSALS.refreshCache;
    findings.push({ code: 'cache-drift', severity: 'warning', file, message, repair });
  };
  for (const { file, version, content } of known) {
    const is = wanted.get(file);
    wanted.delete(file);
    if (!is) add(file, 'the cache has it, and it is not there');
    else if (is.version !== version) add(file, 'it has changed since it was read into the cache');
    else if (is.content !== content) add(file, 'the cache has something else than the file');
  }
  for (const file of wanted.keys()) add(file, 'the cache does not have it yet');
  return findings;
}

function row(file: unknown, version: unknown, values: readonly unknown[]): Row {
  return { file: String(file), version: String(version), content: JSON.stringify(values) };
}

function valuesOf(record: Readonly<Record<string, unknown>>): unknown[] {
  return Object.values(record);
}

function nodesOf({ nodes }: Survey, versions: Versions): Row[] {
  return [...nodes.values()].map(({ file, version, node }) => {
    if (!node) return row(file, version, []);
    const { id, timestamp, model, summary, tags } = node;
    const isCurrent = versions.get(id)?.[0]?.file === file ? 1 : 0;
    const name = model === undefined ? null : toStorable(model);
    return row(file, version, [id, timestamp, isCurrent, name, toStorable(summary), ...tags]);
  });
}

function flowsOf({ flows }: Survey): Row[] {
  return [...flows.values()].map(({ file, version, flow, isSound, nodes }) => {
    if (!flow || !isSound) return row(file, version, []);
    const { id, alias, name, connections } = flow;
    const called = alias === undefined ? null : toStorable(alias);
    return row(file, version, [id, called, toStorable(name), nodes.size, connections]);
  });
}
