import type { FileStore } from '@vizprompt/providers';
import { problemOf } from '../errors.ts';
import { FLOW_MAP, NODE_MAP } from '../format/layout.ts';
import { conflictSides } from '../format/merge-conflict.ts';
import type { FlowMapEntry } from '../index/flow-index.ts';
import type { NodeMapEntry } from '../index/node-index.ts';
import type { Project } from '../project/project.ts';
import { flowMapText, hasSameLines, nodeMapText } from '../write/map-files.ts';
import type { Versions } from './check-graph.ts';
import type { FindingCode, Found } from './finding.ts';
import { PROPOSALS } from './proposals.ts';
import type { Survey } from './survey.ts';

/** How the lines of a map look, and which file a line names. */
interface MapForm {
  readonly map: string;
  readonly kind: 'nodes' | 'flows';
  readonly line: RegExp;
  readonly fileOf: (fields: readonly string[]) => string;
}

const FORMS: readonly MapForm[] = [
  {
    map: NODE_MAP,
    kind: 'nodes',
    line: /^[^\t]+\t[0-9a-f-]{36}\t[^\t]+$/i,
    fileOf: ([path = '']) => `nodes/${path}`,
  },
  {
    map: FLOW_MAP,
    kind: 'flows',
    line: /^[0-9a-f-]{36}\t[^\t]*\t[^\t]+$/i,
    fileOf: ([, folder = '', name = '']) => ['flows', folder, name].filter(Boolean).join('/'),
  },
];

/** Compares the maps with the files. */
export async function checkMaps(
  { files, config }: Project,
  survey: Survey,
  versions: Versions,
): Promise<Found[]> {
  const texts: Readonly<Record<string, string>> = {
    [NODE_MAP]: nodeMapText(nodeEntries(versions)),
    [FLOW_MAP]: flowMapText(flowEntries(survey)),
  };
  const isShared = config.settings.sharing === 'git';
  const findings = FORMS.map(async (form) => {
    const listed = new Set(listedFiles(form, survey));
    return checkMap(files, form, texts[form.map] ?? '', { listed, isShared });
  });
  return (await Promise.all(findings)).flat();
}

function nodeEntries(versions: Versions): NodeMapEntry[] {
  return [...versions].flatMap(([id, list]) =>
    list.map((version, place) => ({ ...version, id, isCurrent: place === 0 })),
  );
}

function flowEntries({ flows }: Survey): FlowMapEntry[] {
  return [...flows.values()].flatMap(({ file, flow, isSound }) =>
    flow && isSound ? [{ file, id: flow.id }] : [],
  );
}

function listedFiles({ kind }: MapForm, survey: Survey): string[] {
  if (kind === 'nodes') return [...survey.nodes.values()].flatMap((n) => (n.node ? [n.file] : []));
  return flowEntries(survey).map(({ file }) => file);
}

async function checkMap(
  files: FileStore,
  form: MapForm,
  expected: string,
  { listed, isShared }: { readonly listed: ReadonlySet<string>; readonly isShared: boolean },
): Promise<Found[]> {
  const { map, line: isLine, fileOf } = form;
  const findings: Found[] = [];
  const add = (code: FindingCode, line: number | undefined, message: string, file = map): void => {
    const place = line === undefined ? { file } : { file, line };
    findings.push({ code, severity: 'warning', ...place, message, repair: PROPOSALS.writeMaps });
  };
  let text: string;
  try {
    text = (await files.read(map))?.text ?? '';
  } catch (error) {
    return [{ ...problemOf(map, error), code: 'ill-formed', repair: PROPOSALS.writeMaps }];
  }
  if (text === expected || (isShared && hasSameLines(text, expected))) return [];
  const sides = conflictSides(text);
  if (sides) {
    add('merge-conflict', sides.line, 'git left both sides of a merge in this map');
    return findings;
  }
  const lines = new Set(expected.split('\n'));
  const unseen = new Set(listed);
  const [header] = expected.split('\n', 1);
  for (const [at, line] of text.split('\n').entries()) {
    if (at === 0 && line !== header) add('ill-formed', 1, `the first line is not '${header}'`);
    if (at === 0 || line === '') continue;
    if (!isLine.test(line)) {
      add('ill-formed', at + 1, `the line has not the fields ${header?.replaceAll('\t', ', ')}`);
      continue;
    }
    const file = fileOf(line.split('\t'));
    if (!listed.has(file)) add('missing-file', at + 1, `${file} is not there, or cannot be read`);
    else if (!unseen.delete(file)) add('map-drift', at + 1, `${file} is listed already`);
    else if (!lines.has(line)) add('map-drift', at + 1, `${file} says something else`);
  }
  for (const file of unseen) add('unlisted-file', undefined, `${map} does not name it`, file);
  if (findings.length === 0) {
    add('map-drift', firstDifference(text, expected), 'the lines do not stand in their order');
  }
  return findings;
}

/** The first line that differs, from 1. */
function firstDifference(text: string, expected: string): number {
  const lines = expected.split('\n');
  return text.split('\n').findIndex((line, at) => line !== lines[at]) + 1 || lines.length;
}
