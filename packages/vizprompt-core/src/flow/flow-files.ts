import { VizPromptError } from '../errors.ts';
import type { Project } from '../project/project.ts';
import { formatTime } from '../project/time.ts';
import type { Flow, StoredFlow } from './flow.ts';
import { readFlowFile, type FlowFile } from './flow-file.ts';

/** The flow that is used when none is named. */
export const MAIN_FLOW = 'main';

/** A flow as its file has it now. */
export interface LoadedFlow extends Omit<FlowFile, 'warnings'> {
  readonly file: string;
  readonly version: string;
}

/** How many parsed flows are kept. */
const MAX_KEPT = 32;

/** Finds and reads flows; those read last are kept as long as their files stay the same. */
export class FlowFiles {
  readonly #project: Project;
  readonly #kept = new Map<string, LoadedFlow>();

  constructor(project: Project) {
    this.#project = project;
  }

  /**
   * Reads a flow by its id, alias, file name or name.
   *
   * @throws VizPromptError with the code `flow-not-found`, or `flow-invalid` and the place.
   */
  async load(name: string): Promise<LoadedFlow> {
    const found = await this.#find(name);
    if (found) return found;
    const { flows } = this.#project.index;
    const known = (await flows.list()).map((row) => row.alias ?? row.name);
    await this.#refuseBroken(name);
    throw new VizPromptError(
      'flow-not-found',
      `there is no flow '${name}'; ${known.length > 0 ? `there are: ${known.join(', ')}` : 'the project has none yet'}`,
      { context: { flow: name } },
    );
  }

  /**
   * The main flow; `undefined` as long as there is none.
   *
   * @throws VizPromptError with the code `flow-invalid` if it may be in a file that is broken.
   */
  async loadMain(): Promise<LoadedFlow | undefined> {
    const found = await this.#find(MAIN_FLOW);
    if (found) return found;
    const [broken] = await this.#project.index.flows.broken();
    // Reading it gives the error with its place.
    return broken === undefined ? undefined : this.read(broken);
  }

  async #find(name: string): Promise<LoadedFlow | undefined> {
    const { flows } = this.#project.index;
    const [file, ...others] = await flows.find(name);
    if (others.length > 0) {
      throw new VizPromptError(
        'invalid-input',
        `${others.length + 1} flows are called '${name}': name one by its file or its id: ${[file, ...others].join(', ')}`,
        { context: { flow: name, files: [file, ...others] } },
      );
    }
    return file === undefined ? undefined : this.read(file);
  }

  /** Of a file that is broken nobody knows whose it is: it may be the one that is asked for. */
  async #refuseBroken(name: string): Promise<void> {
    for (const file of await this.#project.index.flows.broken()) {
      const stored = await this.#project.files.read(file);
      const isMeant = name === MAIN_FLOW || stored?.text.includes(name) === true;
      if (isMeant) await this.read(file);
    }
  }

  /** Reads a flow file. */
  async read(file: string): Promise<LoadedFlow> {
    const stored = await this.#project.files.read(file);
    if (!stored) {
      throw new VizPromptError('flow-not-found', `${file} is gone`, { context: { file } });
    }
    const { version } = stored;
    const known = this.#kept.get(file);
    if (known?.version === version) return known;
    const loaded = { ...readFlowFile(file, stored.text), file, version };
    this.#project.known.rememberFlow(version, loaded.flow);
    this.keep(loaded);
    return loaded;
  }

  /** Remembers a flow that was just read or written. */
  keep(loaded: LoadedFlow): void {
    this.#kept.delete(loaded.file);
    this.#kept.set(loaded.file, loaded);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }
}

/** The flow of a loaded file. */
export function toStoredFlow({ flow, file, version }: LoadedFlow): StoredFlow {
  return { ...flow, file, version };
}

/** What is needed for a new flow. */
export interface NewFlow {
  readonly id: string;
  readonly name: string;
  readonly alias?: string;
  readonly description?: string;
  readonly source?: string;
}

/** A flow without nodes. */
export function emptyFlow({ id, name, alias, description = '', source }: NewFlow, now: Date): Flow {
  const time = formatTime(now);
  return {
    id,
    name,
    ...(alias === undefined ? {} : { alias }),
    created: time,
    updated: time,
    description,
    ...(source === undefined ? {} : { source }),
    nodes: [],
    connections: [],
  };
}
