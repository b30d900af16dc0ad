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
   * Sends a request and waits until it is done.
   *
   * @param onAnswer - Gets everything that it tells until then but `ready` and `failed`. A promise is
   * waited for before the request counts as done.
   * @throws IndexingError if it fails or the process dies.
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

function indexerOn(child: ChildProcess): Indexer {
  let pending:
    | { resolve(): void; reject(error: unknown): void; readonly onAnswer?: AnswerListener }
    | undefined;
  let handled = Promise.resolve();
  const end = (error?: unknown): void => {
    const waiting = pending;
    pending = undefined;
    if (error === undefined) waiting?.resolve();
    else waiting?.reject(error);
  };
  const handle = async (answer: IndexerAnswer): Promise<void> => {
    if (answer.type === 'ready') end();
    else if (answer.type === 'failed') {
      const code = answer.isCorrupt ? 'index-corrupt' : 'indexing-failed';
      const details = { context: { ...answer } };
      end(new IndexingError(`indexing failed: ${answer.message}`, details, code));
    } else await pending?.onAnswer?.(answer);
  };
  child.on('message', (answer: IndexerAnswer) => {
    handled = handled.then(() => handle(answer)).catch(end);
  });
  child.on('error', (error) =>
    end(new IndexingError('the indexing process failed', { cause: error })),
  );
  child.on('exit', (code, signal) => {
    const how = signal ?? `code ${code}`;
    end(new IndexingError(`the indexing process ended with ${how} before it was done`));
  });
  // It must not keep the host alive when nothing is asked of it.
  child.unref();
  child.channel?.unref();

  return {
    request(request, onAnswer) {
      return new Promise((resolve, reject) => {
        child.channel?.ref();
        pending = {
          resolve() {
            child.channel?.unref();
            resolve();
          },
          reject,
          ...(onAnswer ? { onAnswer } : {}),
        };
        child.send(request, (error) => {
          if (error) end(new IndexingError('the indexing process is gone', { cause: error }));
        });
      });
    },
    close() {
      end(new IndexingError('the indexing process was stopped'));
      child.removeAllListeners();
      child.kill();
    },
  };
}
