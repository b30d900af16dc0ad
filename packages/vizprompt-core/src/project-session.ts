import type {
  EventSource,
  Listener,
  Retriever,
  Storage,
  TurnRecorder,
  Unsubscribe,
} from '@vizprompt/providers';
import { checkCall } from './arguments/check-call.ts';
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
import { createRecorder } from './recording/recorder.ts';
import { createRetriever } from './search/retriever.ts';
import { ProjectWatch, type WatchOptions } from './project/watch.ts';

/** What every open project does, whatever is done with it: events, problems, health, what others use, its end. */
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
    checkCall('on', name, listener);
    return this.#project.events.on(name, listener);
  }

  once<Name extends keyof VizPromptEvents>(
    name: Name,
    listener: Listener<VizPromptEvents[Name]>,
  ): Unsubscribe {
    checkCall('once', name, listener);
    return this.#project.events.once(name, listener);
  }

  /** What is wrong with the files of the project, as it was when they were read. */
  async problems(): Promise<readonly ProjectProblem[]> {
    this.#project.assertOpen();
    const { nodes, flows } = this.#project.index;
    return [
      ...this.#project.setAside,
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

  /**
   * From now on, what others write to the project is told by events too: other processes, git, an editor.
   * Nodes and flows that they make, change or delete come within `pollMs`, each as it is then: steps in
   * between are not told. What this process writes comes once, as ever.
   *
   * @returns What ends it; the end of the project does, too.
   * @throws VizPromptError with the code `invalid-input` for a `pollMs` that makes no sense.
   *
   * @example
   * ```ts
   * await using watch = await vizprompt.watch({ pollMs: 500 });
   * vizprompt.on('node:created', ({ node }) => console.log(node.prompt));
   * ```
   */
  async watch(options: WatchOptions = {}): Promise<AsyncDisposable> {
    this.#project.assertOpen();
    checkCall('watch', options);
    return ProjectWatch.start(this.#project, options);
  }

  /** Reads all files, and says what is wrong with them and what {@link ProjectSession.repair} would do. */
  async check(options: CheckOptions = {}): Promise<CheckReport> {
    checkCall('check', options);
    return check(this.#project, options);
  }

  /** Does what findings propose, all of them or some; nothing that was said is deleted. */
  async repair(
    plan: CheckReport | readonly Finding[],
    options: RepairOptions = {},
  ): Promise<RepairReport> {
    checkCall('repair', plan, options);
    return repair(this.#project, plan, options);
  }

  /**
   * Keeps the turns of conversations that are led elsewhere: each becomes a flow, turns side by side
   * become branches, and a turn that followed several a merge. Recorded again, a turn is replaced.
   */
  recorder(): TurnRecorder {
    return createRecorder(this.#project);
  }

  /** Finds nodes for a question; it can filter by `tags`, `keywords`, `model`, `after` and `before`. */
  retriever(): Retriever {
    return createRetriever(this.#project);
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
