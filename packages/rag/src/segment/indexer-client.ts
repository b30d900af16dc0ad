import { fork, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { IndexingError } from '../errors.ts';
import type { IndexerAnswer, IndexerRequest } from './indexer-messages.ts';

/**
 * Where the built entry lies: beside the bundle that this module is part of. When the sources are run
 * as they are, there is none beside it, but perhaps a build of them.
 */
const ENTRIES = ['./indexer.js', '../../dist/indexer.js'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** Hears what the process tells. */
type AnswerListener = (answer: IndexerAnswer) => void | Promise<void>;

/** A process that indexes beside this one. */
export interface Indexer {
  /**
   * Sends a request and waits until it is done. Requests are done one after the other.
   *
   * @param onAnswer - Gets everything that it tells of this request but `ready` and `failed`. A promise is
   * waited for before the request counts as done.
   * @throws IndexingError if it or one before it failed, or the process died.
   */
  request(request: IndexerRequest, onAnswer?: AnswerListener): Promise<void>;
  close(): void;
}

/**
 * Starts a process that indexes.
 *
 * @returns Nothing where there is no built entry.
 */
export function startIndexer(): Indexer | undefined {
  const entry = ENTRIES.find((path) => existsSync(path));
  if (entry === undefined) return undefined;
  const child = fork(entry, [], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // It makes much that is soon garbage; V8 would rather keep it than look.
    execArgv: ['--max-semi-space-size=4', '--expose-gc'],
  });
  return indexerOn(child);
}

/** A request that is not done. */
interface Pending {
  resolve(): void;
  reject(error: unknown): void;
  readonly onAnswer?: AnswerListener;
}

function indexerOn(child: ChildProcess): Indexer {
  const pending: Pending[] = [];
  let handled = Promise.resolve();
  /** Why nothing is asked of it any more. */
  let failure: { readonly error: unknown } | undefined;
  const fail = (error: unknown): void => {
    failure ??= { error };
    for (const { reject } of pending.splice(0)) reject(error);
  };
  const handle = async (answer: IndexerAnswer): Promise<void> => {
    if (answer.type === 'ready') pending.shift()?.resolve();
    else if (answer.type === 'failed') {
      const code = answer.isCorrupt ? 'index-corrupt' : 'indexing-failed';
      const details = { context: { ...answer } };
      fail(new IndexingError(`indexing failed: ${answer.message}`, details, code));
    } else await pending[0]?.onAnswer?.(answer);
  };
  child.on('message', (answer: IndexerAnswer) => {
    handled = handled.then(() => handle(answer)).catch(fail);
  });
  child.on('error', (error) =>
    fail(new IndexingError('the indexing process failed', { cause: error })),
  );
  child.on('exit', (code, signal) => {
    const how = signal ?? `code ${code}`;
    fail(new IndexingError(`the indexing process ended with ${how} before it was done`));
  });
  // It must not keep the host alive when nothing is asked of it.
  child.unref();
  child.channel?.unref();

  return {
    request(request, onAnswer) {
      return new Promise((resolve, reject) => {
        if (failure) throw failure.error;
        child.channel?.ref();
        pending.push({
          resolve() {
            if (pending.length === 0) child.channel?.unref();
            resolve();
          },
          reject,
          ...(onAnswer ? { onAnswer } : {}),
        });
        child.send(request, (error) => {
          if (error) fail(new IndexingError('the indexing process is gone', { cause: error }));
        });
      });
    },
    close() {
      fail(new IndexingError('the indexing process was stopped'));
      child.removeAllListeners();
      child.kill();
    },
  };
}
