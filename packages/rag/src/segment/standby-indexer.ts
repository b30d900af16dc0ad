import type { Analyzer } from '../analyze/analyzer.ts';
import { IndexingError } from '../errors.ts';
import { Indexer } from './indexer-client.ts';
import { PreparedIndexer } from './prepared-indexer.ts';

/** A process that nobody wanted is ended after this time. */
const UNWANTED_MS = 5000;

/**
 * Starts processes that index. One of them may be prepared before there is anything to do, so that
 * its start and the loading of the dictionary are not waited for.
 */
export class StandbyIndexer {
  readonly #folder: string;
  readonly #analyzer: Analyzer;
  readonly #mayFork: boolean;
  #prepared: PreparedIndexer | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param mayFork - Whether another process may be started. */
  constructor(folder: string, analyzer: Analyzer, mayFork: boolean) {
    this.#folder = folder;
    this.#analyzer = analyzer;
    this.#mayFork = mayFork;
  }

  /** Starts a process that the next call of `take` gets, if there may be one and none is prepared. */
  prepare(): PreparedIndexer | undefined {
    if (this.#prepared?.indexer.hasFailed === true) this.close();
    const indexer = this.#prepared ? undefined : this.start();
    if (indexer) this.#prepared = new PreparedIndexer(indexer);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.close(), UNWANTED_MS).unref();
    return this.#prepared;
  }

  /** The process that was prepared, unless it has failed. Who takes it closes it. */
  take(): PreparedIndexer | undefined {
    if (this.#prepared?.indexer.hasFailed === true) this.close();
    const prepared = this.#prepared;
    if (prepared) prepared.isTaken = true;
    this.#prepared = undefined;
    clearTimeout(this.#timer);
    return prepared;
  }

  /** Starts a process, if there may be one. Who gets it closes it. */
  start(): Indexer | undefined {
    const { spec, id } = this.#analyzer;
    const indexer = this.#mayFork && spec !== undefined ? Indexer.start() : undefined;
    if (!indexer || spec === undefined) return undefined;
    const request = { type: 'start', folder: this.#folder, analyzer: spec } as const;
    const started = indexer.request(request, (answer) => {
      // Another version of a dictionary, perhaps.
      if (answer.type !== 'started' || answer.analyzer === id) return;
      const problem = `has the analyser '${answer.analyzer}', not '${id}'`;
      throw new IndexingError(`the process that is to index ${problem}`);
    });
    // Whoever asks something of it learns of it.
    started.catch(() => undefined);
    return indexer;
  }

  /** Ends the process that was prepared, if nobody took it. */
  close(): void {
    clearTimeout(this.#timer);
    this.#prepared?.indexer.close();
    this.#prepared = undefined;
  }
}
