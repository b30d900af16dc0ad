import type { Definitions } from '../definition/definitions.ts';
import type { PromptSet, WorkflowDefinition } from '../definition/workflow-file.ts';
import type { Finding, Path } from '../problems/finding.ts';
import type { CheckedFile } from './collect.ts';
import type { Source } from './source.ts';

/** Where something with a name comes from. */
export interface Origin {
  readonly source: Source;
  readonly path: Path;
}

/** The origins of workflows by their names, and of prompts and roles by set and name. */
export interface Origins {
  readonly workflows: ReadonlyMap<string, Origin>;
  /** The names of workflows of which only some steps are intact. */
  readonly partial: ReadonlySet<string>;
  readonly prompts: ReadonlyMap<string, ReadonlyMap<string, Origin>>;
  readonly roles: ReadonlyMap<string, ReadonlyMap<string, Origin>>;
  /** Of `use.retries`. */
  readonly retries: ReadonlyMap<string, Origin>;
  /** Of `use.models`. */
  readonly models: ReadonlyMap<string, Origin>;
}

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
export function joinFiles(
  files: readonly CheckedFile[],
  promptSets: ReadonlyMap<string, CheckedFile>,
): { definitions: Definitions; origins: Origins; findings: readonly Finding[] } {
  const findings: Finding[] = [];
  const workflows = new Joined<WorkflowDefinition>('workflow', findings);
  const use = {
    retries: new Joined<NonNullable<Definitions['use']['retries']>[string]>('retry', findings),
    timeouts: new Joined<NonNullable<Definitions['use']['timeouts']>[string]>('timeout', findings),
    models: new Joined<string>('model', findings),
  };
  for (const { source, file } of files) {
    workflows.add(source, ['workflows'], file.workflows);
    use.retries.add(source, ['use', 'retries'], file.use?.retries);
    use.timeouts.add(source, ['use', 'timeouts'], file.use?.timeouts);
    use.models.add(source, ['use', 'models'], file.use?.models);
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
    },
  };
  const origins = {
    workflows: workflows.origins,
    partial: new Set(files.flatMap(({ partial = [] }) => [...partial])),
    prompts,
    roles,
    retries: use.retries.origins,
    models: use.models.origins,
  };
  return { definitions, findings, origins };
}
