import type { ChatEvent } from '../models/events.ts';
import { LLMError } from '../models/llm-error.ts';
import type { FileStore } from '../storage/file-store.ts';
import { cassettePrefix, describeCall, formatCassette } from './cassette.ts';
import type { Middleware } from '../models/chat-model.ts';
import { checkOptions } from '../adapter-kit/check-options.ts';
import { TEXT, optional, type Kinds } from '../input/kinds.ts';
import { FILE_STORE } from '../input/part-kinds.ts';

/** Where cassettes lie. */
export interface CassetteOptions {
  /** Where answers are kept, such as `await localFileStore(folder)`. */
  readonly store: FileStore;
  /** The first part of their keys. Default: `'cassettes'`. */
  readonly folder?: string | undefined;
}

const KINDS: Kinds<CassetteOptions> = {
  store: FILE_STORE,
  folder: optional(TEXT),
};

/**
 * Writes each call and its answer, or its error, to a file of its own, for `replay` to give back.
 *
 * A cassette is JSON made for reading and for version control: the request without headers, signal
 * and time limits, and the events, one a line. Secrets that `redact` knows are in neither. The same
 * request asked again gets the numbers 1, 2, ... in the order of the calls; the first one in the
 * life of the middleware replaces what an earlier run recorded of that request. What a reader left
 * or aborted is recorded as far as it came. Where a package or the key of the model is missing, nobody
 * was asked: nothing is recorded, and what was recorded before stays.
 *
 * Put it below all other layers. A cassette that cannot be written fails the call.
 *
 * @example
 * ```ts
 * const model = compose(openai({ model: 'gpt-5' }), record({ store: storage.files }));
 * ```
 */
export function record(options: CassetteOptions): Middleware {
  checkOptions('record', options, KINDS);
  const { store, folder = 'cassettes' } = options;
  const counts = new Map<string, number>();
  const emptied = new Map<string, Promise<void>>();
  return {
    name: 'record',
    async *stream(request, next, model) {
      await model.prepare?.();
      const call = describeCall(request, model);
      const prefix = cassettePrefix(folder, call);
      const number = (counts.get(prefix) ?? 0) + 1;
      counts.set(prefix, number);
      const emptying = emptied.get(prefix) ?? deleteAll(store, prefix);
      emptied.set(prefix, emptying);
      await emptying;

      const events: ChatEvent[] = [];
      let isWritten = false;
      const write = async (error: LLMError | undefined): Promise<void> => {
        isWritten = true;
        await store.write(`${prefix}${number}.json`, formatCassette({ call, events, error }));
      };
      try {
        for await (const event of next(request)) {
          events.push(event);
          if (event.type === 'finish') await write(undefined);
          yield event;
        }
      } catch (error) {
        if (!isWritten && LLMError.isInstance(error)) await write(error);
        throw error;
      } finally {
        if (!isWritten) {
          await write(new LLMError('truncated', 'the recording ends here: its reader had left'));
        }
      }
    },
  };
}

async function deleteAll(store: FileStore, prefix: string): Promise<void> {
  for await (const { key } of store.list(prefix)) await store.delete(key);
}
