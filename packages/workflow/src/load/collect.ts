import type { Definitions } from '../definition/definitions.ts';
import type { WorkflowFile } from '../definition/workflow-file.ts';
import type { WorkflowSource } from '../options.ts';
import type { Finding, Path } from '../problems/finding.ts';
import { asMeant } from './as-meant.ts';
import { fitsFormat } from './fits.ts';
import { intactPart } from './intact-part.ts';
import { joinFiles, type Origins } from './join-files.ts';
import { readSource } from './read-source.ts';
import type { Source } from './source.ts';
import { versionFindings } from './version-one.ts';

/** Where definitions come from. */
export interface DefinitionSources {
  /** Workflows, and prompts that stand beside them. */
  readonly files: WorkflowSource | readonly WorkflowSource[];
  /** Prompt sets by name. Where `files` hold prompts, they are the set `default`. */
  readonly promptSets?: Readonly<Record<string, WorkflowSource>>;
}

/** What files hold, with what is wrong with their structure. */
export interface Collected {
  /** Of what is intact. */
  readonly definitions: Definitions;
  readonly origins: Origins;
  readonly findings: readonly Finding[];
}

/** A file that was read and checked by itself. */
export interface CheckedFile {
  readonly source: Source;
  readonly file: WorkflowFile;
  /** The names of its workflows of which only some steps are intact. */
  readonly partial?: ReadonlySet<string>;
}

/** Reads all files, checks each one by itself, and joins them. */
export async function collect(
  { files, promptSets = {} }: DefinitionSources,
  isThorough: boolean,
): Promise<Collected> {
  const list = Array.isArray(files) ? files : [files];
  const findings: Finding[] = [];
  const read = async (given: WorkflowSource, name: string): Promise<CheckedFile> => {
    const { source, findings: found } = await readSource(given, { name, isThorough });
    findings.push(...found);
    return found.length > 0 ? { source, file: {} } : checkedFile(source, findings);
  };
  const checked: CheckedFile[] = [];
  for (const [at, given] of list.entries()) checked.push(await read(given, `files[${at}]`));
  const sets = new Map<string, CheckedFile>();
  for (const [name, given] of Object.entries(promptSets)) {
    const set = await read(given, `promptSets.${name}`);
    for (const key of ['workflows', 'use'] as const) {
      if (set.file[key] === undefined) continue;
      const [path, words]: [Path, Finding['words']] = [[key], { name: key }];
      const known = ['agent_roles', 'prompts'];
      findings.push({ code: 'unknown-key', source: set.source, path, isKey: true, words, known });
    }
    sets.set(name, set);
  }
  const joined = joinFiles(checked, sets);
  return { ...joined, findings: [...findings, ...joined.findings] };
}

async function checkedFile(source: Source, findings: Finding[]): Promise<CheckedFile> {
  if (fitsFormat(source.value)) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked in the line above
    const file = source.value as WorkflowFile;
    findings.push(...versionFindings(source, file));
    return { source, file };
  }
  const { structureFindings } = await import('../schema/structure-findings.ts');
  const meant = asMeant(source, structureFindings);
  findings.push(...meant.findings);
  return { source: meant.source, ...intactPart(meant.source.value, meant.left) };
}
