import { interruptible } from '../adapter-kit/limits.ts';
import {
  callToJson,
  eventsFromJson,
  hashOf,
  isWhole,
  replayEvents,
} from '../cassettes/event-json.ts';
import { canonicalJson } from '../json/canonical-json.ts';
import { isRecord } from '../json/fields.ts';
import type { ChatEvent, FinishEvent, Usage } from '../models/events.ts';
import type { Middleware } from '../models/chat-model.ts';
import type { FileStore } from '../storage/file-store.ts';
import { isSubstitute } from './fallback.ts';
import { checkOptions } from '../adapter-kit/check-options.ts';
import { AMOUNT, TEXT, optional, type Kinds } from '../input/kinds.ts';
import { FILE_STORE } from '../input/part-kinds.ts';

/** Options of {@link cache}. */
export interface CacheOptions {
  /** Where answers are kept. */
  readonly store: FileStore;
  /** The first part of their keys. Default: `'llm-cache'`. */
  readonly folder?: string | undefined;
  /** The age above which an answer is asked for again, in milliseconds. Default: none is too old. */
  readonly maxAgeMs?: number | undefined;
}

const KINDS: Kinds<CacheOptions> = {
  store: FILE_STORE,
  folder: optional(TEXT),
  maxAgeMs: optional(AMOUNT),
};

/**
 * Keeps answers, and gives them again to the same request: the same provider, model, messages and
 * options; signal, headers and time limits do not count. Answers are stored as they are said, which
 * may hold private text.
 *
 * Only whole answers that ended on their own are kept (`stop` or `tool-calls`, not empty, and not
 * from a `fallback`). A hit streams the events of the answer; its `usage` is 0, as it cost nothing,
 * and `meta.vizprompt` of its finish holds `cacheHit: true` and the first answer's `savedUsage`. A
 * file that cannot be read or understood is a miss, and one that cannot be written is left out:
 * the store never fails a call.
 *
 * @example
 * ```ts
 * const model = compose(openai({ model: 'gpt-5' }), cache({ store: storage.files, maxAgeMs: 86_400_000 }));
 * ```
 */
export function cache(options: CacheOptions): Middleware {
  checkOptions('cache', options, KINDS);
  const { store, folder = 'llm-cache', maxAgeMs = Infinity } = options;
  return {
    name: 'cache',
    async *stream(request, next, model) {
      const { address = '' } = model;
      const hash = hashOf([address, callToJson(request, model)]);
      const key = `${folder}/${hash.slice(0, 2)}/${hash}.json`;
      const hit = await interruptible({ signal: request.signal, what: 'the cache' }, () =>
        load(store, key, maxAgeMs),
      );
      if (hit) {
        yield* replayEvents(hit, request);
        return;
      }
      const events: ChatEvent[] = [];
      for await (const event of next(request)) {
        events.push(event);
        if (event.type === 'finish' && isWorthKeeping(events, event))
          await save(store, key, events);
        yield event;
      }
    },
  };
}

async function load(
  store: FileStore,
  key: string,
  maxAgeMs: number,
): Promise<readonly ChatEvent[] | undefined> {
  try {
    const file = await store.read(key);
    if (!file) return undefined;
    const entry: unknown = JSON.parse(file.text);
    if (!isRecord(entry) || typeof entry['savedAt'] !== 'number') return undefined;
    if (Date.now() - entry['savedAt'] > maxAgeMs) return undefined;
    const events = eventsFromJson(entry['events']);
    return events && isWhole(events) ? events.map(asHit) : undefined;
  } catch {
    return undefined;
  }
}

async function save(store: FileStore, key: string, events: readonly ChatEvent[]): Promise<void> {
  try {
    await store.write(key, JSON.stringify({ savedAt: Date.now(), events: canonicalJson(events) }));
  } catch {
    // The answer is there; it will be asked for again.
  }
}

function isWorthKeeping(events: readonly ChatEvent[], { reason }: FinishEvent): boolean {
  if (reason !== 'stop' && reason !== 'tool-calls') return false;
  const [start] = events;
  if (start?.type !== 'start' || isSubstitute(start)) return false;
  return events.some(({ type }) => type === 'part');
}

const NOTHING: Usage = { inputTokens: 0, outputTokens: 0 };

function asHit(event: ChatEvent): ChatEvent {
  if (event.type !== 'finish') return event;
  const { inputTokens = 0, outputTokens = 0 } = event.usage;
  const vizprompt = { cacheHit: true, savedUsage: { inputTokens, outputTokens } };
  return { ...event, usage: NOTHING, meta: { ...event.meta, vizprompt } };
}
