import { compareFiles, precedence } from '../format/layout.ts';
import { type Found, PROPOSALS } from './findings.ts';
import type { ProjectScan } from './project-scan.ts';

/** The node files that carry each id, the node itself first. */
export type Versions = ReadonlyMap<
  string,
  readonly { readonly file: string; readonly timestamp: string }[]
>;

/** Groups the node files by their id. */
export function versionsOf({ nodes }: ProjectScan): Versions {
  const found = new Map<string, { file: string; timestamp: string }[]>();
  for (const { file, node } of nodes.values()) {
    if (!node) continue;
    const { id, timestamp } = node;
    const others = found.get(id);
    if (others) others.push({ file, timestamp });
    else found.set(id, [{ file, timestamp }]);
  }
  for (const files of found.values()) if (files.length > 1) files.sort(precedence);
  return found;
}

/** Checks references between nodes and flows. */
export function checkGraph(scan: ProjectScan, versions: Versions): Found[] {
  return [
    ...missingNodes(scan, versions),
    ...orphans(scan, versions),
    ...nodeVersions(versions),
    ...sameFlows(scan),
    ...missingAttachments(scan),
  ];
}

function missingNodes({ flows, nodes: files }: ProjectScan, versions: Versions): Found[] {
  const conflicting = new Set([...files.values()].flatMap((file) => file.conflicting ?? []));
  return [...flows.values()].flatMap(({ nodes }) =>
    [...nodes].flatMap(([id, place]): Found[] => {
      if (versions.has(id) || conflicting.has(id)) return [];
      const message = `the node ${id} is in no file that can be read`;
      const repair = PROPOSALS.missingNode;
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
