import type { EventSource, Listener, Storage, Unsubscribe } from '@vizprompt/providers';
import { check } from './doctor/check.ts';
import type {
  CheckOptions,
  CheckReport,
  Finding,
  RepairOptions,
  RepairReport,
} from './doctor/finding.ts';
import { repair } from './doctor/repair.ts';
import type { ProjectProblem, VizPromptEvents } from './events.ts';
import type { RefreshReport } from './index/refresh.ts';
import { METADATA_LAGS, writeMetadata } from './project/keep-metadata.ts';
import { refreshProject } from './project/open-project.ts';
import type { Project } from './project/project.ts';

/** What every open project does, whatever is done with it: events, problems, health, and its end. */
export abstract class ProjectSession implements EventSource<VizPromptEvents>, AsyncDisposable {
  readonly #project: Project;
  readonly #ownStorage: Storage | undefined;
  #isClosed = false;

  /** @param ownStorage - A storage that ends with the session. */
  protected constructor(project: Project, ownStorage?: Storage) {
    this.#project = project;
    this.#ownStorage = ownStorage;
  }

  on<Name extends keyof VizPromptEvents>(
    name: Name,
    listener: Listener<VizPromptEvents[Name]>,
  ): Unsubscribe {
    return this.#project.events.on(name, listener);
  }

  once<Name extends keyof VizPromptEvents>(
    name: Name,
    listener: Listener<VizPromptEvents[Name]>,
  ): Unsubscribe {
    return this.#project.events.once(name, listener);
  }

  /** What is wrong with the files of the project, as it was when they were read. */
  async problems(): Promise<readonly ProjectProblem[]> {
    this.#project.assertOpen();
    const { nodes, flows } = this.#project.index;
    return [
      ...(await nodes.problems()),
      ...(await flows.problems()),
      ...(await flows.contradictions()),
    ];
  }

  /** Reads what other programs, such as git or an editor, changed in the files meanwhile. */
  async refresh(): Promise<RefreshReport> {
    this.#project.assertOpen();
    return refreshProject(this.#project);
  }

  /** Reads all files, and says what is wrong with them and what {@link ProjectSession.repair} would do. */
  check(options: CheckOptions = {}): Promise<CheckReport> {
    return check(this.#project, options);
  }

  /** Does what findings propose, all of them or some; nothing that was said is deleted. */
  repair(
    plan: CheckReport | readonly Finding[],
    options: RepairOptions = {},
  ): Promise<RepairReport> {
    return repair(this.#project, plan, options);
  }

  /**
   * Ends the work with the project. Answers that are on their way are stopped, and what had come is
   * kept. Calls after it fail with the code `closed`.
   */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { index, isReadOnly, underWay } = this.#project;
    try {
      await Promise.all(Array.from(underWay, (end) => end()));
      if (!isReadOnly && (await index.state.get(METADATA_LAGS))) await writeMetadata(this.#project);
    } finally {
      try {
        await this.#project.close();
      } finally {
        await this.#ownStorage?.close();
      }
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
