import type { FileChange, StoredFile } from '@vizprompt/providers';
import { formatTime } from '../format/ids-and-times.ts';
import type { Project } from '../project/project.ts';
import { allocateFiles } from '../write/allocate-file-numbers.ts';
import type { Outcome } from './outcome.ts';

const FOLDER = 'lost+found';

/** All that a repair writes, to be written at once. */
export class RepairBatch {
  readonly #project: Project;
  readonly #changes: FileChange[] = [];
  readonly #newNodes: string[] = [];
  readonly #newFlows: string[] = [];
  readonly #taken: ReadonlySet<string>;
  readonly setAside: { readonly from: string; readonly to: string }[] = [];

  private constructor(project: Project, taken: ReadonlySet<string>) {
    this.#project = project;
    this.#taken = taken;
  }

  static async begin(project: Project): Promise<RepairBatch> {
    const taken = new Set<string>();
    for await (const { key } of project.files.list(`${FOLDER}/`)) taken.add(key);
    return new RepairBatch(project, taken);
  }

  /** Adds what becomes of a file. */
  add(file: string, stored: StoredFile, { content, setAside, newNodes, newFlows }: Outcome): void {
    this.#changes.push({ key: file, content, ifVersion: stored.version });
    this.#newNodes.push(...(newNodes ?? []));
    this.#newFlows.push(...(newFlows ?? []));
    if (setAside === undefined) return;
    const to = this.#freeName(file);
    const time = formatTime(this.#project.clock());
    const note = `${file}, as it was at ${time}.\n${setAside}\n`;
    this.#changes.push(
      { key: to, content: stored.data, ifVersion: null },
      { key: `${to}.txt`, content: note, ifVersion: null },
    );
    this.setAside.push({ from: file, to });
  }

  #freeName(file: string): string {
    for (let attempt = 1; ; attempt++) {
      const name = `${FOLDER}/${file}${attempt === 1 ? '' : `.${attempt}`}`;
      if (!this.#taken.has(name) && !this.#taken.has(`${name}.txt`)) return name;
    }
  }

  /**
   * Writes everything, or nothing. The caller holds the project lock.
   *
   * @returns The files that were written.
   */
  async write(): Promise<string[]> {
    const nodes = await allocateFiles(this.#project, 'nodes', this.#newNodes.length);
    const flows = await allocateFiles(this.#project, 'flows', this.#newFlows.length);
    const create = (files: readonly string[], texts: readonly string[]): FileChange[] =>
      files.map((key, at) => ({ key, content: texts[at] ?? '', ifVersion: null }));
    const changes = [
      ...this.#changes,
      ...create(nodes, this.#newNodes),
      ...create(flows, this.#newFlows),
    ];
    if (changes.length > 0) {
      const versions = await this.#project.files.writeMany(changes);
      this.#project.selfWrites.note(changes, versions);
    }
    return changes.map(({ key }) => key);
  }
}
