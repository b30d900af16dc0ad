import type { FileStore } from '@vizprompt/providers';
import type { Middleware } from '@vizprompt/providers/middleware';
import { record, replay } from '@vizprompt/providers/testing';
import { localFileStore } from '@vizprompt/providers/node';

/** Where answers of real models lie, for tests without them. */
export interface Cassettes {
  /** A folder, or a store of files; in it they lie in `calls/`. */
  readonly store: string | FileStore;
  /**
   * `'record'` asks the models and keeps what they answer, `'replay'` answers from what was kept and asks nobody.
   * Default: `'replay'`.
   */
  readonly mode?: 'record' | 'replay';
}

/** An opened {@link Cassettes}. */
export interface OpenCassettes {
  readonly layer: Middleware;
  close(): Promise<void>;
}

/** Opens cassettes. Secrets are taken out of what is kept. */
export async function openCassettes({ store, mode = 'replay' }: Cassettes): Promise<OpenCassettes> {
  const own = typeof store === 'string' ? await localFileStore(store) : undefined;
  const files = own ?? store;
  if (typeof files === 'string') throw new TypeError('a folder was opened as no store');
  const options = { store: files, folder: 'calls' };
  return {
    layer: mode === 'record' ? record(options) : replay(options),
    close: async () => own?.close(),
  };
}
