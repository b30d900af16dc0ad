import { VizPromptError } from '../errors.ts';
import { ForeignChanges } from './foreign-changes.ts';
import type { Project } from './project.ts';

/** Options of `watch`. */
export interface WatchOptions {
  /**
   * Milliseconds between two looks at the files. Where it takes long to list them all, the pause is ten
   * times as long. Default: 1,000.
   */
  readonly pollMs?: number;
  /** Hears why a look failed; the next one tries again. Default: nobody. */
  readonly onError?: (error: unknown) => void;
}

/** Looks at the files of a project again and again, until it or the project ends. */
export class ProjectWatch implements AsyncDisposable {
  readonly #project: Project;
  readonly #changes: ForeignChanges;
  readonly #pollMs: number;
  readonly #onError: (error: unknown) => void;
  readonly #end = (): Promise<void> => this[Symbol.asyncDispose]();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isEnded = false;

  private constructor(project: Project, { pollMs = 1000, onError = () => {} }: WatchOptions) {
    this.#project = project;
    this.#changes = new ForeignChanges(project);
    this.#pollMs = pollMs;
    this.#onError = onError;
  }

  /** What is there already is not told. */
  static async start(project: Project, options: WatchOptions): Promise<ProjectWatch> {
    const { pollMs = 1000 } = options;
    if (!Number.isSafeInteger(pollMs) || pollMs < 1) {
      const message = `pollMs is ${pollMs}: it must be a whole number above 0`;
      throw new VizPromptError('invalid-input', message);
    }
    const watch = new ProjectWatch(project, options);
    try {
      await watch.#changes.remember();
    } catch (error) {
      watch.#changes.end();
      throw error;
    }
    project.underWay.add(watch.#end);
    watch.#wait(pollMs);
    return watch;
  }

  /** Looks no more, and waits for the look that is under way. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    this.#project.underWay.delete(this.#end);
    this.#changes.end();
    await this.#looking;
  }

  #wait(milliseconds: number): void {
    if (this.#isEnded) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#look().then((pause) => this.#wait(pause));
    }, milliseconds);
    this.#timer.unref();
  }

  /** @returns After how many milliseconds it looks again. */
  async #look(): Promise<number> {
    try {
      await this.#changes.look();
    } catch (error) {
      if (!this.#isEnded) this.#onError(error);
    }
    return Math.max(this.#pollMs, 10 * this.#changes.listedInMs);
  }
}
