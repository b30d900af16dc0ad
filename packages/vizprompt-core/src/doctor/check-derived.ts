import { type FileStore } from '@vizprompt/providers';
import { guardYaml } from '@vizprompt/providers/config/internal';
import { toStorable } from '@vizprompt/providers/internal';
import { Lexer, LineCounter, parse, YAMLParseError } from 'yaml';
import { type FilePlace, problemOf } from '../errors.ts';
import { FLOW_MAP, NODE_MAP } from '../format/layout.ts';
import { conflictSides } from '../format/merge-conflict.ts';
import type { FlowMapEntry } from '../index/project-index.ts';
import { type NodeMapEntry, type NodeMetadata, parseList } from '../index/node-index.ts';
import type { Project } from '../project/project.ts';
import {
  flowMapText,
  hasSameLines,
  nodeMapText,
  INDEX_FILE,
  indexText,
  METADATA_LAGS,
  metadataNodes,
  readDerived,
  readKeywords,
  TAGS_FILE,
  tagsText,
  undated,
} from '../write/metadata-files.ts';
import { type FindingCode, type Found, PROPOSALS } from './findings.ts';
import type { ProjectScan, Versions } from './project-scan.ts';

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
    line: /^[^\t][^\t]*\t[0-9a-f-]{36}\t[^\t][^\t]*$/i,
    fileOf: ([path = '']) => `nodes/${path}`,
  },
  {
    map: FLOW_MAP,
    kind: 'flows',
    line: /^[0-9a-f-]{36}\t[^\t]*\t[^\t][^\t]*$/i,
    fileOf: ([, folder = '', name = '']) => ['flows', folder, name].filter(Boolean).join('/'),
  },
];

/** Compares the maps with the files. */
export async function checkMaps(
  { files, config }: Project,
  scan: ProjectScan,
  versions: Versions,
): Promise<Found[]> {
  const texts: Readonly<Record<string, string>> = {
    [NODE_MAP]: nodeMapText(nodeEntries(versions)),
    [FLOW_MAP]: flowMapText(flowEntries(scan)),
  };
  const isShared = config.settings.sharing === 'git';
  const findings = FORMS.map(async (form) => {
    const listed = new Set(listedFiles(form, scan));
    return checkMap(files, form, texts[form.map] ?? '', { listed, isShared });
  });
  return (await Promise.all(findings)).flat();
}

function nodeEntries(versions: Versions): NodeMapEntry[] {
  return [...versions].flatMap(([id, list]) =>
    list.map((version, place) => ({ ...version, id, isCurrent: place === 0 })),
  );
}

function flowEntries({ flows }: ProjectScan): FlowMapEntry[] {
  return [...flows.values()].flatMap(({ file, flow, isSound }) =>
    flow && isSound ? [{ file, id: flow.id }] : [],
  );
}

function listedFiles({ kind }: MapForm, scan: ProjectScan): string[] {
  if (kind === 'nodes') return [...scan.nodes.values()].flatMap((n) => (n.node ? [n.file] : []));
  return flowEntries(scan).map(({ file }) => file);
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
    add('map-drift', firstDifference(text, expected), 'the lines are not in order');
  }
  return findings;
}

/** Returns the first line that differs, from 1. */
function firstDifference(text: string, expected: string): number {
  const lines = expected.split('\n');
  return text.split('\n').findIndex((line, at) => line !== lines[at]) + 1 || lines.length;
}

/** Compares `tags.yaml` and `index.yaml` with the nodes. */
export async function checkMetadata(
  project: Project,
  scan: ProjectScan,
  versions: Versions,
): Promise<Found[]> {
  const indexed = new Map(
    (await metadataNodes(project)).map((node, place) => [node.id, { ...node, place }]),
  );
  const stored = await keywordsIn(await readMetadata(project, INDEX_FILE));
  const nodes = [...versions]
    .flatMap(([id, [current]]): (NodeMetadata & { readonly place: number })[] => {
      const node = current && scan.nodes.get(current.file)?.node;
      if (!node) return [];
      const known = indexed.get(id);
      const own = known?.keywords ?? [];
      const keywords = own.length > 0 ? own : (stored.get(id) ?? []);
      // As they are written; those that the cache lacks come last.
      return [{ ...node, keywords, place: known?.place ?? indexed.size }];
    })
    .toSorted((a, b) => a.place - b.place);
  const isLagging = Boolean(await project.index.state.get(METADATA_LAGS));
  const findings = [
    await compareMetadata(project, TAGS_FILE, 'tags-drift', tagsText(nodes)),
    await compareMetadata(project, INDEX_FILE, 'index-drift', indexText(nodes)),
  ].flat();
  return findings.map((finding): Found => {
    const isDrift = finding.code === 'tags-drift' || finding.code === 'index-drift';
    // It is written by the next build, and when the project is closed.
    return isDrift && isLagging ? { ...finding, severity: 'info' } : finding;
  });
}

async function readMetadata({ files }: Project, file: string): Promise<string | undefined> {
  const stored = await readDerived(files, file);
  try {
    return stored?.text;
  } catch {
    return undefined;
  }
}

async function keywordsIn(
  text: string | undefined,
): Promise<ReadonlyMap<string, readonly string[]>> {
  try {
    return await readKeywords(text ?? '');
  } catch {
    return new Map();
  }
}

async function compareMetadata(
  { files }: Project,
  file: string,
  code: FindingCode,
  expected: string,
): Promise<Found[]> {
  const repair = PROPOSALS.writeMetadata;
  const stored = await readDerived(files, file);
  const isEmpty = /^\w\w*: \{\}\n$/.test(expected);
  if (!stored && isEmpty) return [];
  const lineCounter = new LineCounter();
  try {
    const text = stored?.text ?? '';
    if (undated(text) === expected) return [];
    const sides = conflictSides(text);
    if (sides) {
      const message = 'git left both sides of a merge in this file';
      const place = { file, line: sides.line };
      return [{ code: 'merge-conflict', severity: 'warning', ...place, message, repair }];
    }
    const excess = guardYaml(new Lexer(), text, { maxCharacters: Infinity, maxTokens: Infinity });
    if (excess) throw new Error(excess.problem);
    parse(text, { uniqueKeys: false, logLevel: 'error', prettyErrors: false, lineCounter });
    const line = firstUndatedDifference(text, `\n${expected}`);
    const message = 'the file is not what the nodes say';
    return [{ code, severity: 'warning', file, line, message, repair }];
  } catch (error) {
    return [
      { ...problemOf(file, error), ...placeIn(error, lineCounter), code: 'ill-formed', repair },
    ];
  }
}

function placeIn(error: unknown, lineCounter: LineCounter): Pick<FilePlace, 'line' | 'column'> {
  if (!(error instanceof YAMLParseError)) return {};
  const { line, col: column } = lineCounter.linePos(error.pos[0]);
  return { line, column };
}

/** Returns the first line that differs after the date, from 1. */
function firstUndatedDifference(text: string, expected: string): number {
  const lines = expected.split('\n');
  const at = text.split('\n').findIndex((line, place) => place > 0 && line !== lines[place]);
  return at < 0 ? lines.length : at + 1;
}

interface Row {
  readonly file: string;
  readonly version: string;
  /** All else that is known of the file, to compare. */
  readonly content: string;
}

/** Compares the index in the cache with the files. */
export async function checkCache(
  { index: { database } }: Project,
  scan: ProjectScan,
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
  const wanted = new Map([...nodesOf(scan, versions), ...flowsOf(scan)].map((r) => [r.file, r]));
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

function nodesOf({ nodes }: ProjectScan, versions: Versions): Row[] {
  return [...nodes.values()].map(({ file, version, node }) => {
    if (!node) return row(file, version, []);
    const { id, timestamp, model, summary, tags } = node;
    const isCurrent = versions.get(id)?.[0]?.file === file ? 1 : 0;
    const name = model === undefined ? null : toStorable(model);
    return row(file, version, [id, timestamp, isCurrent, name, toStorable(summary), ...tags]);
  });
}

function flowsOf({ flows }: ProjectScan): Row[] {
  return [...flows.values()].map(({ file, version, flow, isSound, nodes }) => {
    if (!flow || !isSound) return row(file, version, []);
    const { id, alias, name, connections } = flow;
    const called = alias === undefined ? null : toStorable(alias);
    return row(file, version, [id, called, toStorable(name), nodes.size, connections]);
  });
}
