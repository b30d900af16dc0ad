import { guardYaml } from '@vizprompt/providers/config';
import { Lexer, LineCounter, parse, YAMLParseError } from 'yaml';
import { type FilePlace, problemOf } from '../errors.ts';
import { conflictSides } from '../format/merge-conflict.ts';
import type { NodeMetadata } from '../index/node-index.ts';
import type { Project } from '../project/project.ts';
import {
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
import type { Versions } from './check-graph.ts';
import type { FindingCode, Found } from './finding.ts';
import { PROPOSALS } from './proposals.ts';
import type { Survey } from './survey.ts';

/** Compares `tags.yaml` and `index.yaml` with the nodes. */
export async function checkMetadata(
  project: Project,
  survey: Survey,
  versions: Versions,
): Promise<Found[]> {
  const indexed = new Map(
    (await metadataNodes(project)).map((node, place) => [node.id, { ...node, place }]),
  );
  const stored = keywordsIn(await read(project, INDEX_FILE));
  const nodes = [...versions]
    .flatMap(([id, [current]]): (NodeMetadata & { readonly place: number })[] => {
      const node = current && survey.nodes.get(current.file)?.node;
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
    await compare(project, TAGS_FILE, 'tags-drift', tagsText(nodes)),
    await compare(project, INDEX_FILE, 'index-drift', indexText(nodes)),
  ].flat();
  return findings.map((finding): Found => {
    const isDrift = finding.code === 'tags-drift' || finding.code === 'index-drift';
    // It is written by the next build, and when the project is closed.
    return isDrift && isLagging ? { ...finding, severity: 'info' } : finding;
  });
}

async function read({ files }: Project, file: string): Promise<string | undefined> {
  const stored = await readDerived(files, file);
  try {
    return stored?.text;
  } catch {
    return undefined;
  }
}

function keywordsIn(text: string | undefined): ReadonlyMap<string, readonly string[]> {
  try {
    return readKeywords(text ?? '');
  } catch {
    return new Map();
  }
}

async function compare(
  { files }: Project,
  file: string,
  code: FindingCode,
  expected: string,
): Promise<Found[]> {
  const repair = PROPOSALS.writeMetadata;
  const stored = await readDerived(files, file);
  const isEmpty = /^\w+: \{\}\n$/.test(expected);
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
    const line = firstDifference(text, `\n${expected}`);
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

/** The first line that differs behind the date, from 1. */
function firstDifference(text: string, expected: string): number {
  const lines = expected.split('\n');
  const at = text.split('\n').findIndex((line, place) => place > 0 && line !== lines[place]);
  return at < 0 ? lines.length : at + 1;
}
