import { fork, type ChildProcess } from 'node:child_process';
import type { AnalyzerSpec, Analyzer } from '../../analyze/analyzer.ts';
import { Chunk, positionOf, type ChunkFields } from '../../chunk/chunk.ts';
import type { DocumentDelta } from '../write/write-segment.ts';
import { IndexingError } from '../../errors.ts';
import { findProgram } from '../../files/find-program.ts';
import { flagsOfPackages } from '@vizprompt/providers/internal';

/** The requests to the process that indexes. */
export type IndexerRequest =
  | { readonly type: 'start'; readonly folder: string; readonly analyzer: AnalyzerSpec }
  | { readonly type: 'documents'; readonly documents: readonly SentDocument[] }
  | { readonly type: 'finish' }
  | {
      readonly type: 'merge';
      readonly folder: string;
      /** The id of the analyzer. */
      readonly analyzer: string;
      readonly files: readonly string[];
      /** True if documents that went are not remembered any more. */
      readonly forgets: boolean;
    };

/** Its answers. A request is answered by `ready` at last, or by `failed`. */
export type IndexerAnswer =
  /** The id of the analyzer that it has. */
  | { readonly type: 'started'; readonly analyzer: string }
  | {
      readonly type: 'segment';
      readonly file: string;
      readonly chunks: number;
      readonly hasKept: boolean;
      readonly replaced: number;
    }
  | {
      readonly type: 'merged';
      readonly file: string;
      readonly chunks: number;
      readonly records: number;
    }
  | { readonly type: 'ready' }
  | {
      readonly type: 'failed';
      readonly message: string;
      readonly stack?: string;
      /** True if a file of the index is damaged. */
      readonly isCorrupt: boolean;
      /** The damaged file of the index, if it is one of it. */
      readonly path?: string;
    };

/** A chunk on its way to the process that indexes. */
type SentChunk = ChunkFields & { readonly ordinal: number };

/** A document on its way to the process that indexes. */
type SentDocument = Omit<DocumentDelta, 'chunks'> & { readonly chunks: readonly SentChunk[] };

function toSentChunk(chunk: Chunk): SentChunk {
  const { title, content, filePath, novelId } = chunk;
  const { tags, headingPath, overlap, ordinal } = chunk;
  const where = { filePath, novelId, ...positionOf(chunk) };
  return { title, content, tags, headingPath, overlap, ordinal, ...where };
}

function fromSentChunk({ ordinal, ...fields }: SentChunk): Chunk {
  return new Chunk(fields, ordinal);
}

export function toSent({ chunks, ...document }: DocumentDelta): SentDocument {
  return { ...document, chunks: chunks.map(toSentChunk) };
}

export function fromSent({ chunks, ...document }: SentDocument): DocumentDelta {
  return { ...document, chunks: chunks.map(fromSentChunk) };
}

/** Name of `indexer-process.ts` in the build. */
const PROGRAM = 'vizprompt-rag-indexer.js';

/** Receives the answers of the process. */
type AnswerListener = (answer: IndexerAnswer) => void | Promise<void>;

/** A request that is not done. */
interface Pending {
  resolve(): void;
  reject(error: unknown): void;
  readonly onAnswer: AnswerListener | undefined;
}

/** A process that indexes next to this one. */
export class Indexer {
  readonly #child: ChildProcess;
  readonly #pending: Pending[] = [];
  #handled = Promise.resolve();
  /** The last request, and the ones before it. */
  #last = Promise.resolve();
  #beforeLast = Promise.resolve();
  /** Why nothing is asked of it any more. */
  #failure: { readonly error: unknown } | undefined;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (answer: IndexerAnswer) => {
      this.#handled = this.#handled
        .then(() => this.#handle(answer))
        .catch((error: unknown) => this.#fail(error));
    });
    child.on('error', (cause) => {
      this.#fail(new IndexingError('the indexing process failed', { cause }));
    });
    child.on('exit', (code, signal) => {
      const how = signal ?? `code ${code}`;
      this.#fail(new IndexingError(`the indexing process ended with ${how} before it was done`));
    });
    // It must not keep the host alive when nothing is asked of it.
    release(child);
  }

  /**
   * Starts a process that indexes.
   *
   * @returns Nothing where there is no built file to run.
   */
  static start(): Indexer | undefined {
    const program = findProgram(PROGRAM, 'indexing');
    if (program === undefined) return undefined;
    const child = fork(program, [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // It makes much that is soon garbage; V8 would rather keep it than look.
      execArgv: [...flagsOfPackages(import.meta.url), '--max-semi-space-size=4', '--expose-gc'],
    });
    return new Indexer(child);
  }

  /**
   * Sends a request and waits until it is done. Requests are done one after the other.
   *
   * @param onAnswer - Gets all its answers to this request but `ready` and `failed`. A promise is
   * waited for before the request counts as done.
   * @throws IndexingError if it or one before it failed, or the process died.
   */
  request(request: IndexerRequest, onAnswer?: AnswerListener): Promise<void> {
    const child = this.#child;
    return new Promise((resolve, reject) => {
      if (this.#failure) throw this.#failure.error;
      hold(child);
      const done = (): void => {
        if (this.#pending.length === 0) release(child);
        resolve();
      };
      this.#pending.push({ resolve: done, reject, onAnswer });
      child.send(request, (cause) => {
        if (cause) this.#fail(new IndexingError('the indexing process is gone', { cause }));
      });
    });
  }

  /**
   * Sends a request when at most one other is not done: while one is, the next is made and waits there.
   *
   * @throws IndexingError if an earlier one has failed; if it fails itself, the next one reports it.
   */
  async send(request: IndexerRequest, onAnswer?: AnswerListener): Promise<void> {
    await this.#beforeLast;
    if (this.#failure) throw this.#failure.error;
    this.#beforeLast = this.#last;
    this.#last = this.request(request, onAnswer);
    this.#last.catch(() => undefined);
  }

  close(): void {
    this.#fail(new IndexingError('the indexing process was stopped'));
    const child = this.#child;
    child.removeAllListeners();
    // One that could not be started says so later, and has no number: a signal would go to all our group.
    child.on('error', () => undefined);
    if (child.pid !== undefined) child.kill();
  }

  async #handle(answer: IndexerAnswer): Promise<void> {
    if (answer.type === 'ready') this.#pending.shift()?.resolve();
    else if (answer.type === 'failed') {
      const code = answer.isCorrupt ? 'index-corrupt' : 'indexing-failed';
      const details = { context: { ...answer } };
      this.#fail(new IndexingError(`indexing failed: ${answer.message}`, details, code));
    } else await this.#pending[0]?.onAnswer?.(answer);
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    for (const { reject } of this.#pending.splice(0)) reject(error);
  }
}

/**
 * Starts a process that indexes into a folder with this analyzer. The caller closes it.
 *
 * @returns Nothing where there is no built file to run, or the analyzer cannot be named to another process.
 */
export function startIndexer(folder: string, { spec, id }: Analyzer): Indexer | undefined {
  const indexer = spec === undefined ? undefined : Indexer.start();
  if (!indexer || spec === undefined) return undefined;
  const started = indexer.request({ type: 'start', folder, analyzer: spec }, (answer) => {
    // The other process may have found another version of the dictionary.
    if (answer.type !== 'started' || answer.analyzer === id) return;
    const problem = `expected the analyzer '${id}', got '${answer.analyzer}'`;
    throw new IndexingError(`indexing process: ${problem}`);
  });
  // The next request reports the failure.
  started.catch(() => undefined);
  return indexer;
}

/** A channel as runtimes have it: that of Bun is counted with its process. */
type CountedChannel = Partial<Pick<NonNullable<ChildProcess['channel']>, 'ref' | 'unref'>>;

/** Keeps this process alive while it waits for another. */
function hold(child: ChildProcess): void {
  child.ref();
  const channel: CountedChannel | null | undefined = child.channel;
  channel?.ref?.();
}

/** Lets this process end before another does. */
function release(child: ChildProcess): void {
  child.unref();
  const channel: CountedChannel | null | undefined = child.channel;
  channel?.unref?.();
}
