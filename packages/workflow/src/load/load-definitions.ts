import {
  AMOUNT,
  type Kind,
  type Kinds,
  OBJECT,
  optional,
} from '@vizprompt/providers/config/internal';
import type {
  Definitions,
  McpServer,
  PromptSet,
  Schedule,
  Webhook,
  WorkflowDefinition,
  WorkflowFile,
  WorkflowSource,
} from '../definition/workflow-file.ts';
import { WorkflowError } from '../errors.ts';
import { prepareLanguages } from '../language/condition.ts';
import type { Finding, Origin, Origins, Path, Source } from '../problems/finding.ts';
import { problemText, toProblems } from '../problems/to-problems.ts';
import { applyTypoFixes } from './apply-typo-fixes.ts';
import { checkDefinitions } from './check-definitions.ts';
import { readSource } from './read-source.ts';

/**
 * Reads files, and checks and joins what they hold.
 *
 * @throws WorkflowError with the code `definition-invalid`: the first problem as `file:line:column: ...`, and all
 * of them in `context.problems`.
 */
export async function loadDefinitions(sources: DefinitionSources): Promise<Definitions> {
  const [{ definitions, origins, findings }] = await Promise.all([
    collect(sources, false),
    prepareLanguages(),
  ]);
  const all = [...findings, ...checkDefinitions(definitions, origins)];
  if (all.length === 0) return definitions;
  const problems = await toProblems(all, 'en');
  const [first] = problems;
  const more = problems.length > 1 ? `; and ${problems.length - 1} more` : '';
  throw new WorkflowError(
    'definition-invalid',
    first ? problemText(first) + more : 'the files cannot be understood',
    { context: { problems } },
  );
}

/** Where definitions come from. */
export interface DefinitionSources {
  /** Workflows, and prompts next to them. */
  readonly files: WorkflowSource | readonly WorkflowSource[];
  /** Prompt sets by name. Where `files` hold prompts, they are the set `default`. */
  readonly promptSets?: Readonly<Record<string, WorkflowSource>> | undefined;
  /** Bytes of the largest file that is read. Default: 4,194,304 (4 MiB). */
  readonly maxFileBytes?: number | undefined;
}

/** The content of files, with the mistakes in their structure. */
interface Collected {
  /** The definitions that are intact. */
  readonly definitions: Definitions;
  readonly origins: Origins;
  readonly findings: readonly Finding[];
}

/** Reads all files, checks each one on its own, and joins them. */
export async function collect(
  { files, promptSets = {}, maxFileBytes }: DefinitionSources,
  isThorough: boolean,
): Promise<Collected> {
  const list = Array.isArray(files) ? files : [files];
  const findings: Finding[] = [];
  const read = async (given: WorkflowSource, name: string): Promise<CheckedFile> => {
    const { source, findings: found } = await readSource(given, { name, isThorough, maxFileBytes });
    findings.push(...found);
    return found.length > 0 ? { source, file: {} } : checkedFile(source, findings);
  };
  const checked: CheckedFile[] = [];
  for (const [at, given] of list.entries()) checked.push(await read(given, `files[${at}]`));
  const sets = new Map<string, CheckedFile>();
  for (const [name, given] of Object.entries(promptSets)) {
    const set = await read(given, `promptSets.${name}`);
    for (const key of ['workflows', 'use', 'schedules', 'webhooks'] as const) {
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
  // The schema and its library are loaded with the first file.
  const { structureFindings } = await import('../schema/structure-findings.ts');
  const meant = applyTypoFixes(source, structureFindings);
  if (meant.findings.length === 0) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema found nothing wrong
    const file = source.value as WorkflowFile;
    findings.push(...versionFindings(source, file));
    return { source, file };
  }
  findings.push(...meant.findings);
  const { recoverValidParts } = await import('./recover-valid-parts.ts');
  return { source: meant.source, ...recoverValidParts(meant.source.value, meant.left) };
}

/** The content of a file is checked by the format, with its place. */
export const SOURCE: Kind<never> = {
  expected: 'a path, a URL or an object as a file holds it',
  accepts: (value) => typeof value === 'string' || OBJECT.accepts(value),
};
const SOURCES: Kind<never> = {
  expected: `${SOURCE.expected}, or a list of them`,
  accepts: (value) =>
    SOURCE.accepts(value) || (Array.isArray(value) && value.every((one) => SOURCE.accepts(one))),
};

/** Where definitions come from, as `dryRun` takes them too. */
export const SOURCE_KINDS: Kinds<DefinitionSources> = {
  files: SOURCES,
  promptSets: optional(OBJECT),
  maxFileBytes: optional(AMOUNT),
};

/** Things of one kind from several files. */
class Joined<Value> {
  readonly values: Record<string, Value> = {};
  readonly origins = new Map<string, Origin>();
  readonly #what: string;
  readonly #findings: Finding[];

  constructor(what: string, findings: Finding[]) {
    this.#what = what;
    this.#findings = findings;
  }

  add(source: Source, path: Path, all: Readonly<Record<string, Value>> = {}): void {
    for (const [name, value] of Object.entries(all)) {
      const place = { source, path: [...path, name] };
      const other = this.origins.get(name);
      if (other) {
        const words = { what: this.#what, name };
        this.#findings.push({ code: 'duplicate-name', ...place, isKey: true, words, other });
        continue;
      }
      this.origins.set(name, place);
      Object.defineProperty(this.values, name, { value, enumerable: true });
    }
  }
}

/** Joins files; a name that two of them give is a mistake. */
function joinFiles(
  files: readonly CheckedFile[],
  promptSets: ReadonlyMap<string, CheckedFile>,
): { definitions: Definitions; origins: Origins; findings: readonly Finding[] } {
  const findings: Finding[] = [];
  const workflows = new Joined<WorkflowDefinition>('workflow', findings);
  const use = {
    retries: new Joined<NonNullable<Definitions['use']['retries']>[string]>('retry', findings),
    timeouts: new Joined<NonNullable<Definitions['use']['timeouts']>[string]>('timeout', findings),
    models: new Joined<string>('model', findings),
    mcpServers: new Joined<McpServer>('server', findings),
  };
  for (const { source, file } of files) {
    workflows.add(source, ['workflows'], file.workflows);
    use.retries.add(source, ['use', 'retries'], file.use?.retries);
    use.timeouts.add(source, ['use', 'timeouts'], file.use?.timeouts);
    use.models.add(source, ['use', 'models'], file.use?.models);
    use.mcpServers.add(source, ['use', 'mcpServers'], file.use?.mcpServers);
  }
  const schedules = new Joined<Schedule>('schedule', findings);
  const webhooks = new Joined<Webhook>('webhook', findings);
  for (const { source, file } of files) {
    schedules.add(source, ['schedules'], file.schedules);
    webhooks.add(source, ['webhooks'], file.webhooks);
  }
  const withPrompts = files.filter(({ file }) => file.agent_roles ?? file.prompts);
  const groups = new Map([...promptSets].map(([name, file]) => [name, [file]]));
  if (withPrompts.length > 0) {
    groups.set('default', [...withPrompts, ...(groups.get('default') ?? [])]);
  }
  const sets: Record<string, PromptSet> = {};
  const prompts = new Map<string, ReadonlyMap<string, Origin>>();
  const roles = new Map<string, ReadonlyMap<string, Origin>>();
  for (const [name, members] of groups) {
    const ofPrompts = new Joined<string>('prompt', findings);
    const ofRoles = new Joined<PromptSet['agent_roles'][string]>('role', findings);
    for (const { source, file } of members) {
      ofPrompts.add(source, ['prompts'], file.prompts);
      ofRoles.add(source, ['agent_roles'], file.agent_roles);
    }
    sets[name] = { agent_roles: ofRoles.values, prompts: ofPrompts.values };
    prompts.set(name, ofPrompts.origins);
    roles.set(name, ofRoles.origins);
  }
  const definitions: Definitions = {
    workflows: workflows.values,
    promptSets: sets,
    use: {
      retries: use.retries.values,
      timeouts: use.timeouts.values,
      models: use.models.values,
      mcpServers: use.mcpServers.values,
    },
    schedules: schedules.values,
    webhooks: webhooks.values,
  };
  const origins = {
    workflows: workflows.origins,
    partial: new Set(files.flatMap(({ partial = [] }) => [...partial])),
    prompts,
    roles,
    retries: use.retries.origins,
    models: use.models.origins,
    schedules: schedules.origins,
    webhooks: webhooks.origins,
  };
  return { definitions, findings, origins };
}

/** A file that was read and checked on its own. */
interface CheckedFile {
  readonly source: Source;
  readonly file: WorkflowFile;
  /** The names of its workflows of which only some steps are intact. */
  readonly partial?: ReadonlySet<string>;
}

const CALL = ['agent_id', 'prompt_id', 'input_variables', 'output_variable'];
const KEYS = {
  file: new Set(['$schema', 'version', 'agent_roles', 'prompts', 'workflows']),
  workflow: new Set(['description', 'initial_step', 'steps']),
  agent_interaction: new Set(['id', 'type', 'next_step', ...CALL]),
  multi_agent_interaction: new Set(['id', 'type', 'next_step', 'agents_to_run']),
  call: new Set(CALL),
};

/** Finds features of later versions in a file that calls itself version 1. */
function versionFindings(source: Source, file: WorkflowFile): readonly Finding[] {
  if (file.version !== 1) return [];
  const findings: Finding[] = [];
  const check = (value: object, path: Path, keys: ReadonlySet<string>): void => {
    for (const name of Object.keys(value)) {
      if (keys.has(name)) continue;
      const place = { source, path: [...path, name], isKey: true };
      findings.push({ code: 'version-key', ...place, words: { name } });
    }
  };
  check(file, [], KEYS.file);
  for (const [name, workflow] of Object.entries(file.workflows ?? {})) {
    const path = ['workflows', name];
    check(workflow, path, KEYS.workflow);
    for (const [at, step] of workflow.steps.entries()) {
      const place = [...path, 'steps', at];
      const { type } = step;
      if (type !== 'agent_interaction' && type !== 'multi_agent_interaction') {
        findings.push({
          code: 'version-key',
          source,
          path: [...place, 'type'],
          words: { name: type },
        });
        continue;
      }
      check(step, place, KEYS[type]);
      if (type !== 'multi_agent_interaction') continue;
      for (const [index, call] of step.agents_to_run.entries()) {
        check(call, [...place, 'agents_to_run', index], KEYS.call);
      }
    }
  }
  return findings;
}
