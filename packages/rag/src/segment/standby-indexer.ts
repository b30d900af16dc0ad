import type { Analyzer } from '../analyze/analyzer.ts';
import { IndexingError } from '../errors.ts';
import { startIndexer, type Indexer } from './indexer-client.ts';

/** A process that nobody wanted is ended after this time. */
const UNWANTED_MS = 5000;
/** Words that were found beforehand take memory: those of so many UTF-16 code units. */
const MAX_FORESEEN = 400_000;

/** A process that has its analyser and nothing to do, or will when `started` resolves. */
export interface ReadyIndexer {
  readonly indexer: Indexer;
  readonly started: Promise<void>;
}

/**
 * Starts processes that index. One of them may be prepared before there is anything to do, so that
 * its start and the loading of the dictionary are not waited for.
 */
export class StandbyIndexer {
  readonly #folder: string;
  readonly #analyzer: Analyzer;
  readonly #mayFork: boolean;
  #prepared: ReadyIndexer | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** UTF-16 code units whose words the prepared process has found. */
  #foreseen = 0;

  /** @param mayFork - Whether another process may be started. */
  constructor(folder: string, analyzer: Analyzer, mayFork: boolean) {
    this.#folder = folder;
    this.#analyzer = analyzer;
    this.#mayFork = mayFork;
  }

  /** Starts a process that the next call of `take` gets. */
  prepare(): void {
    if (!this.#prepared) {
      this.#prepared = this.#start();
      this.#foreseen = 0;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.close(), UNWANTED_MS).unref();
  }

  /** Whether a process was prepared that nobody has taken. */
  get isPrepared(): boolean {
    return this.#prepared !== undefined;
  }

  /**
   * Has the prepared process find the words of texts that are likely to come. Resolves when it has done so for
   * those before.
   *
   * @returns Whether to go on: somebody may have taken the process, or it has enough to remember.
   */
  async foresee(texts: readonly string[], signal?: AbortSignal): Promise<boolean> {
    const prepared = this.#prepared;
    await prepared?.started;
    if (!prepared || this.#prepared !== prepared || signal?.aborted === true) return false;
    if (this.#foreseen >= MAX_FORESEEN) return false;
    this.#foreseen += texts.reduce((sum, text) => sum + text.length, 0);
    const { indexer } = prepared;
    this.#prepared = { indexer, started: indexer.request({ type: 'foresee', texts }) };
    this.#watch(this.#prepared);
    return true;
  }

  /** A process that is prepared, or was just started. */
  take(): ReadyIndexer | undefined {
    const taken = this.#prepared ?? this.#start();
    this.#prepared = undefined;
    clearTimeout(this.#timer);
    return taken;
  }

  /** Ends the process that was prepared, if nobody took it. */
  close(): void {
    clearTimeout(this.#timer);
    this.#prepared?.indexer.close();
    this.#prepared = undefined;
  }

  #start(): ReadyIndexer | undefined {
    const { spec, id } = this.#analyzer;
    const indexer = this.#mayFork && spec !== undefined ? startIndexer() : undefined;
    if (!indexer || spec === undefined) return undefined;
    const request = { type: 'start', folder: this.#folder, analyzer: spec } as const;
    const started = indexer.request(request, (answer) => {
      // Another version of a dictionary, perhaps.
      if (answer.type !== 'started' || answer.analyzer === id) return;
      const problem = `has the analyser '${answer.analyzer}', not '${id}'`;
      throw new IndexingError(`the process that is to index ${problem}`);
    });
    return this.#watch({ indexer, started });
  }

  /** A process that fails is not given to anybody; whoever has taken it learns of it. */
  #watch(ready: ReadyIndexer): ReadyIndexer {
    ready.started.catch(() => {
      if (this.#prepared?.indexer === ready.indexer) this.close();
    });
    return ready;
  }
}
