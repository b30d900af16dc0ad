import type * as Qdrant from '@qdrant/js-client-rest';
import type { QdrantClient } from '@qdrant/js-client-rest';
import { untilAborted } from '../concurrency/until-aborted.ts';
import { messageOf } from '../errors.ts';
import {
  AMOUNT,
  FLAG,
  type Kinds,
  NONEMPTY,
  optional,
  POSITIVE,
  TEXT,
  TEXTS,
} from '../input/kinds.ts';
import { fieldsOf, numberOf, stringOf } from '../json/fields.ts';
import { PeerError, toPeerError } from '../peer.ts';
import {
  checkArgument,
  checkCall,
  checkedCount,
  checkedRecords,
  checkOptions,
  checkQuery,
  unitVector,
} from '../vector/check-vectors.ts';
import { VectorError } from '../vector/vector-error.ts';
import type { HybridVectorStore, SparseVector, VectorStore } from '../vector/vector-store.ts';
import {
  callUntil,
  DENSE,
  fitsNothing,
  openCollection,
  pointIdOf,
  type QdrantCall,
  readMatches,
  SPARSE,
  toPoint,
  toPointFilter,
} from './collection.ts';
import { inParts } from '../storage/sql-statements.ts';

/** Options of {@link qdrantStore}. */
export interface QdrantStoreOptions {
  /** The address of the server. Default: `http://localhost:6333`. */
  readonly url?: string | undefined;
  /** For servers that ask for one. */
  readonly apiKey?: string | undefined;
  /** Made when it is missing. */
  readonly collection: string;
  /** The length of the vectors. */
  readonly dimensions: number;
  /** Which model makes the vectors; a collection of another one is refused. Default: not checked. */
  readonly model?: string | undefined;
  /** True if points have words too, for `queryFused`. Default: `false`. */
  readonly sparse?: boolean | undefined;
  /** How long a call may take, in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number | undefined;
}

type Api = ReturnType<QdrantClient['api']>;

/** Points of one call: some megabytes, where servers take 32. */
const BATCH = 200;
const DEFAULT_DEPTH = 100;

const KINDS: Kinds<QdrantStoreOptions> = {
  url: optional(TEXT),
  apiKey: optional(TEXT),
  collection: NONEMPTY,
  dimensions: POSITIVE,
  model: optional(TEXT),
  sparse: optional(FLAG),
  timeoutMs: optional(AMOUNT),
};

/**
 * Vectors in a collection of a Qdrant server, 1.16 or newer. Points have UUIDs made of the ids; the ids
 * themselves are in the payload, as JSON text.
 *
 * With `sparse: true` words are next to them, and `queryFused` lets the server search both and fuse the
 * ranks. Qdrant counts ranks from 0, so its `k` is one more than that of the paper.
 *
 * @throws PeerError with the first call if `@qdrant/js-client-rest` is not installed.
 *
 * @example
 * ```ts
 * const store = qdrantStore({ collection: 'novels', dimensions: 1024, model: 'bge-m3', sparse: true });
 * await store.upsert([{ id: 'a', vector, payload: { project: '灯台' } }]);
 * ```
 */
export function qdrantStore(
  options: QdrantStoreOptions & { readonly sparse: true },
): HybridVectorStore;
export function qdrantStore(options: QdrantStoreOptions): VectorStore;
export function qdrantStore(options: QdrantStoreOptions): VectorStore | HybridVectorStore {
  checkOptions('qdrantStore', options, KINDS);
  const { url = 'http://localhost:6333', collection, dimensions, model } = options;
  const { sparse: isHybrid = false, timeoutMs = 10_000 } = options;
  const place = `the collection '${collection}' on Qdrant at ${withoutSecrets(url)}`;
  const target = { collection_name: collection };
  let connecting: Promise<Api> | undefined;
  let isClosed = false;

  async function connect(signal: AbortSignal): Promise<Api> {
    const { QdrantClient: Client } = await loadQdrant();
    const client = new Client({
      ...addressOf(url),
      ...(options.apiKey === undefined ? {} : { apiKey: options.apiKey }),
      // Its own limit would replace our signal.
      timeout: Number.POSITIVE_INFINITY,
      checkCompatibility: false,
    });
    const api = client.api();
    await openCollection(api, { name: collection, place, dimensions, model, isHybrid }, signal);
    return api;
  }

  async function run<T>(
    outer: AbortSignal | undefined,
    work: (api: Api, call: QdrantCall) => Promise<T>,
  ): Promise<T> {
    outer?.throwIfAborted();
    if (isClosed) throw new VectorError('closed', `${place} is closed`);
    const limit = AbortSignal.timeout(timeoutMs);
    const signal = outer ? AbortSignal.any([outer, limit]) : limit;
    try {
      // The second caller waits for the first, whose own signal must not stop it.
      connecting ??= connect(AbortSignal.timeout(timeoutMs));
      const api = await untilAborted(connecting, signal).catch((error: unknown) => {
        if (!signal.aborted) connecting = undefined;
        throw error;
      });
      return await work(api, callUntil(signal));
    } catch (error) {
      outer?.throwIfAborted();
      const reason = limit.aborted ? new Error(`no answer within ${timeoutMs} ms`) : error;
      throw qdrantFailure(reason, place);
    }
  }

  const store: VectorStore = {
    specVersion: 1,
    dimensions,

    async upsert(records, call) {
      const { signal } = checkCall('upsert', call);
      const checked = checkedRecords(records, dimensions, place);
      for (const some of inParts(checked, BATCH)) {
        const points = some.map((record) => toPoint(record, isHybrid));
        await run(signal, (api, init) => api.upsertPoints({ ...target, wait: true, points }, init));
      }
      if (checked.length === 0) await run(signal, () => Promise.resolve());
    },

    async delete(ids, call) {
      checkArgument('the ids of delete', ids, TEXTS);
      const { signal } = checkCall('delete', call);
      for (const some of inParts(ids, BATCH * 5)) {
        const points = some.map(pointIdOf);
        await run(signal, (api, init) => api.deletePoints({ ...target, wait: true, points }, init));
      }
      if (ids.length === 0) await run(signal, () => Promise.resolve());
    },

    async query(vector, call) {
      const { limit: most = 10, k = most, filter, signal } = checkQuery(call);
      const query = [...unitVector(vector, dimensions, `the question for ${place}`)];
      const limit = checkedCount(k, place);
      return run(signal, async (api, init) => {
        if (fitsNothing(filter)) return [];
        const asked = { query, using: DENSE, limit, with_payload: true };
        const { data } = await api.queryPoints({ ...target, ...asked, ...fit(filter) }, init);
        return readMatches(data.result);
      });
    },

    async count(filter, call) {
      const { signal } = checkCall('count', call);
      return run(signal, async (api, init) => {
        if (fitsNothing(filter)) return 0;
        const { data } = await api.countPoints({ ...target, exact: true, ...fit(filter) }, init);
        return data.result?.count ?? 0;
      });
    },

    async close() {
      isClosed = true;
      connecting = undefined;
    },
  };
  if (!isHybrid) return store;

  const queryFused: HybridVectorStore['queryFused'] = async (question) => {
    const {
      limit: most = 10,
      k = most,
      filter,
      signal,
      depth = DEFAULT_DEPTH,
      rankConstant = 60,
    } = question;
    const { weights = { vector: 1, sparse: 1 } } = question;
    const dense = [...unitVector(question.vector, dimensions, `the question for ${place}`)];
    const limit = checkedCount(k, place);
    const side = { limit: Math.max(depth, limit), ...fit(filter) };
    return run(signal, async (api, init) => {
      if (fitsNothing(filter)) return [];
      const { data } = await api.queryPoints(
        {
          ...target,
          prefetch: [
            { query: dense, using: DENSE, ...side },
            { query: plain(question.sparse), using: SPARSE, ...side },
          ],
          query: { rrf: { k: rankConstant + 1, weights: [weights.vector, weights.sparse] } },
          limit,
          with_payload: true,
        },
        init,
      );
      return readMatches(data.result);
    });
  };
  return { ...store, queryFused };
}

function fit(filter: Parameters<typeof toPointFilter>[0]): {
  filter?: ReturnType<typeof toPointFilter> & {};
} {
  const points = toPointFilter(filter);
  return points ? { filter: points } : {};
}

function plain({ indices, values }: SparseVector): { indices: number[]; values: number[] } {
  return { indices: [...indices], values: [...values] };
}

/** The client takes 6333 for a port that is not given; addresses mean 80 and 443 by that. */
function addressOf(url: string): { url: string; port?: number } {
  const { port, protocol } = new URL(url);
  return port === '' ? { url, port: protocol === 'https:' ? 443 : 80 } : { url };
}

function withoutSecrets(url: string): string {
  const address = new URL(url);
  return `${address.protocol}//${address.host}${address.pathname.replace(/\/$/, '')}`;
}

/** @throws PeerError if `@qdrant/js-client-rest` is not installed. */
async function loadQdrant(): Promise<typeof Qdrant> {
  try {
    return await import('@qdrant/js-client-rest');
  } catch (error) {
    throw toPeerError(error, '@qdrant/js-client-rest');
  }
}

/** Returns an error of the client as one of a vector store. */
function qdrantFailure(error: unknown, place: string): unknown {
  if (VectorError.isInstance(error) || PeerError.isInstance(error)) return error;
  const status = numberOf(fieldsOf(error)['status']);
  const context = status === undefined ? {} : { status };
  const details = { cause: error, context };
  const said = saidBy(error);
  if (status === undefined || status >= 500 || status === 429 || status === 408) {
    return new VectorError(
      'unavailable',
      `${place} cannot be reached or did not answer: ${said}. Is the server running ` +
        '(docker run -p 6333:6333 qdrant/qdrant), and is the address right?',
      details,
    );
  }
  if (status === 401 || status === 403) {
    return new VectorError('refused', `${place} refused the key: ${said}. Check 'apiKey'`, details);
  }
  if (status >= 300 && status < 400) {
    const message = `${place} redirects, which is not followed: use the address that it names`;
    return new VectorError('refused', message, details);
  }
  return new VectorError('refused', `${place} refused the call: ${said}`, details);
}

/** Returns the words of the server, or why there is no answer. */
function saidBy(error: unknown): string {
  const { data, cause } = fieldsOf(error);
  const status = fieldsOf(fieldsOf(data)['status']);
  const reason = cause === undefined ? '' : ` (${messageOf(cause)})`;
  return stringOf(status['error']) ?? `${messageOf(error)}${reason}`;
}
