import type { Analyzer } from '../analyze/analyzer.ts';
import { IndexingError } from '../errors.ts';
import { startIndexer, type Indexer } from './indexer-client.ts';

/** A process that nobody wanted is ended after this time. */
const UNWANTED_MS = 5000;

/** A process that has its analyser, or will have it when `started` resolves. */
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

  /** @param mayFork - Whether another process may be started. */
  constructor(folder: string, analyzer: Analyzer, mayFork: boolean) {
    this.#folder = folder;
    this.#analyzer = analyzer;
    this.#mayFork = mayFork;
  }

  /** Starts a process that the next call of `take` gets. */
  prepare(): void {
    this.#prepared ??= this.#start();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.close(), UNWANTED_MS).unref();
  }

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
    // Whoever has taken it learns of it.
    started.catch(() => {
      if (this.#prepared?.indexer === indexer) this.#prepared = undefined;
    });
    return { indexer, started };
  }
}
