import { LLMError } from '../models/llm-error.ts';
import type { Middleware } from '../models/middleware.ts';
import type { FileStore } from '../storage/file-store.ts';
import { cassettePrefix, describeCall, parseCassette, type Cassette } from './cassette.ts';
import { replayEvents } from './event-json.ts';
import { explainMiss } from './nearest-cassette.ts';
import type { CassetteOptions } from './record.ts';
import { checkOptions } from '../adapter-kit/check-options.ts';
import { TEXT, optional, type Kinds } from '../input/kinds.ts';
import { FILE_STORE } from '../input/part-kinds.ts';

const KINDS: Kinds<CassetteOptions> = {
  store: FILE_STORE,
  folder: optional(TEXT),
};

/**
 * Answers from the cassettes that `record` wrote, and never calls the model. The same request asked
 * again gets its cassettes in the order of their recording, and then the last one again and again.
 * Recorded errors are thrown as they were.
 *
 * The count of each request belongs to the returned value.
 *
 * @throws LLMError (while streaming) with the code `not_found` if there is no cassette; the message
 * shows, line by line, how the nearest one differs. With `bad_response` if a cassette is damaged.
 *
 * @example
 * ```ts
 * const model = compose(openai({ model: 'gpt-5' }), replay({ store: storage.files }));
 * ```
 */
export function replay(options: CassetteOptions): Middleware {
  checkOptions('replay', options, KINDS);
  const { store, folder = 'cassettes' } = options;
  const counts = new Map<string, number>();
  const lengths = new Map<string, number>();
  return {
    name: 'replay',
    async *stream(request, _next, model) {
      const { provider, modelId } = model;
      const call = describeCall(request, model);
      const prefix = cassettePrefix(folder, call);
      const number = (counts.get(prefix) ?? 0) + 1;
      counts.set(prefix, number);
      for (let at = Math.min(number, lengths.get(prefix) ?? number); at > 0; at--) {
        const cassette = await load(store, `${prefix}${at}.json`);
        if (!cassette) continue;
        if (at < number) lengths.set(prefix, at);
        yield* replayEvents(cassette.events, request);
        if (cassette.error) throw cassette.error;
        return;
      }
      const why = await explainMiss(store, folder, call);
      const message = `there is no cassette for this request to ${provider} model '${modelId}': ${why}`;
      throw new LLMError('not_found', message, { provider, modelId });
    },
  };
}

async function load(store: FileStore, key: string): Promise<Cassette | undefined> {
  const file = await store.read(key);
  if (!file) return undefined;
  const cassette = parseCassette(file.text);
  if (cassette) return cassette;
  throw new LLMError('bad_response', `'${key}' is not a cassette: record it again`, {
    context: { key },
  });
}
