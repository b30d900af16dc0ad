import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { isError } from '../../errors.ts';
import { checkOptions } from '../../input/check-input.ts';
import { type Kinds, optional, TEXT } from '../../input/kinds.ts';
import { type Fields, fieldsOf, isRecord, listOf, numberOf, stringOf } from '../../json/fields.ts';
import { fuseRanks } from '../../retrieval/fuse.ts';

/** Options of {@link startFakeQdrant}. */
export interface FakeQdrantOptions {
  /** Asked for in the header `api-key`. Default: none is asked for. */
  readonly apiKey?: string | undefined;
}

/** A request that the server got. */
export interface QdrantCall {
  readonly method: string;
  readonly path: string;
  readonly body: Fields;
}

/** A server on this machine that speaks the part of the protocol that `qdrantStore` uses. */
export interface FakeQdrant {
  readonly url: string;
  /** All requests so far. */
  readonly calls: readonly QdrantCall[];
  /** From now on: `'up'`, `'down'` (connections break), `'hanging'` (no answer), or a status of every answer. */
  set(state: 'up' | 'down' | 'hanging' | 500 | 429): void;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const KINDS: Kinds<FakeQdrantOptions> = {
  apiKey: optional(TEXT),
};

/**
 * Starts a fake of Qdrant 1.18: collections with named and sparse vectors, points, filters by keyword,
 * count, scroll, and the Query API with prefetch and reciprocal rank fusion. It refuses what the real one
 * refuses: ids that are not a UUID, vectors of another length, lone surrogates.
 *
 * Source: https://api.qdrant.tech and the OpenAPI schema of `@qdrant/js-client-rest` 1.18.
 */
export async function startFakeQdrant(options: FakeQdrantOptions = {}): Promise<FakeQdrant> {
  checkOptions('startFakeQdrant', options, KINDS);
  const { apiKey } = options;
  const collections = new Map<string, FakeCollection>();
  const calls: QdrantCall[] = [];
  let state: Parameters<FakeQdrant['set']>[0] = 'up';

  async function answer(incoming: IncomingMessage): Promise<unknown> {
    const json = await text(incoming);
    const method = incoming.method ?? '';
    const path = (incoming.url ?? '').split('?')[0] ?? '';
    const body = parseBody(json);
    calls.push({ method, path, body });
    if (typeof state === 'number') throw new QdrantRefusal(state, 'Service internal error: fault');
    if (apiKey !== undefined && incoming.headers['api-key'] !== apiKey) {
      throw new QdrantRefusal(401, 'Must provide an API key or an Authorization bearer token');
    }
    return route(collections, method, path, body);
  }

  const server = createServer((incoming, outgoing) => {
    if (state === 'hanging') return;
    if (state === 'down') {
      incoming.socket.destroy();
      return;
    }
    const send = (status: number, body: object): void => {
      outgoing.writeHead(status, { 'content-type': 'application/json' });
      outgoing.end(JSON.stringify({ ...body, time: 0.000_1 }));
    };
    answer(incoming).then(
      (result) => send(200, { result, status: 'ok' }),
      (error: unknown) => {
        const status = error instanceof QdrantRefusal ? error.status : 500;
        send(status, { status: { error: String(isError(error) ? error.message : error) } });
      },
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const close = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve) => void server.close(() => resolve()));
  };
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    set: (next) => void (state = next),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function route(
  collections: Map<string, FakeCollection>,
  method: string,
  path: string,
  body: Fields,
): unknown {
  const [, root, encoded = '', ...rest] = path.split('/');
  const name = decodeURIComponent(encoded);
  if (root !== 'collections') throw new QdrantRefusal(404, 'Not found');
  const action = `${method} ${rest.join('/')}`.trim();
  if (action === 'GET exists') return { exists: collections.has(name) };
  if (action === 'PUT') {
    if (collections.has(name)) {
      throw new QdrantRefusal(409, `Wrong input: Collection \`${name}\` already exists!`);
    }
    collections.set(name, new FakeCollection(body));
    return true;
  }
  if (action === 'DELETE') return collections.delete(name);
  const collection = collections.get(name);
  if (!collection) {
    throw new QdrantRefusal(404, `Not found: Collection \`${name}\` doesn't exist!`);
  }
  return onCollection(collection, action, body);
}

function onCollection(collection: FakeCollection, action: string, body: Fields): unknown {
  const { vectors, sparse_vectors: sparse, metadata } = collection.config;
  const done = { operation_id: 0, status: 'completed' };
  switch (action) {
    case 'GET':
      return {
        status: 'green',
        points_count: collection.points.size,
        config: { params: { vectors, sparse_vectors: sparse }, metadata },
      };
    case 'PUT index':
      if (stringOf(body['field_name']) === undefined) throw new QdrantRefusal(422, 'no field_name');
      return done;
    case 'PUT points':
      collection.upsert(listOf(body['points']));
      return done;
    case 'POST points/delete':
      collection.delete(listOf(body['points']));
      return done;
    case 'POST points/count':
      return { count: collection.fitting(body['filter']).length };
    case 'POST points/query':
      return {
        points: collection.query(body).map(({ point, score }) => ({
          ...shown(point, body['with_payload'] === true),
          score,
        })),
      };
    case 'POST points/scroll': {
      const limit = numberOf(body['limit']) ?? 10;
      const all = collection.fitting(body['filter']);
      const from = Math.max(
        0,
        all.findIndex(({ id }) => id === body['offset']),
      );
      return {
        points: all.slice(from, from + limit).map((point) => shown(point, true)),
        next_page_offset: all[from + limit]?.id ?? null,
      };
    }
    default:
      throw new QdrantRefusal(404, 'Not found');
  }
}

function shown({ id, payload }: FakePoint, hasPayload: boolean): object {
  return { id, version: 0, ...(hasPayload ? { payload } : {}) };
}

function parseBody(json: string): Fields {
  // As serde_json does: an escape that is half a character is an error.
  const body: unknown = json === '' ? {} : JSON.parse(json);
  if (!json.isWellFormed() || /\\ud[89a-f]/i.test(json)) {
    JSON.stringify(body, (_, value: unknown) => {
      if (typeof value !== 'string' || value.isWellFormed()) return value;
      throw new QdrantRefusal(
        400,
        'Format error in JSON body: lone leading surrogate in hex escape',
      );
    });
  }
  return fieldsOf(body);
}

/** A point as a server keeps it. */
interface FakePoint {
  readonly id: string | number;
  readonly dense: Readonly<Record<string, readonly number[]>>;
  readonly sparse: Readonly<Record<string, ReadonlyMap<number, number>>>;
  readonly payload: Fields;
}

/** A point that was found. */
interface ScoredPoint {
  readonly point: FakePoint;
  readonly score: number;
}

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** One collection: named vectors, sparse ones next to them, payloads and filters by keyword. */
class FakeCollection {
  readonly config: Fields;
  readonly points: Map<string | number, FakePoint> = new Map();

  /** @param config - The body that made it. */
  constructor(config: Fields) {
    this.config = config;
  }

  upsert(points: readonly unknown[]): void {
    const read = points.map((point) => this.#read(fieldsOf(point)));
    for (const point of read) this.points.set(point.id, point);
  }

  delete(ids: readonly unknown[]): void {
    for (const id of ids) this.points.delete(idOf(id));
  }

  /** Returns the points that fit a filter, which has `must` with `match: {value | any}` only. */
  fitting(filter: unknown): readonly FakePoint[] {
    const conditions = listOf(fieldsOf(filter)['must']).map(fieldsOf);
    return [...this.points.values()].filter(({ payload }) =>
      conditions.every(({ key, match }) => {
        const own = payload[stringOf(key) ?? ''];
        const values = Array.isArray(own) ? own : [own];
        const { any, value } = fieldsOf(match);
        const wanted = Array.isArray(any) ? any : [value];
        return values.some((one) => wanted.includes(one));
      }),
    );
  }

  /** Returns the answer to a query of the Query API: a vector, a sparse vector, or a fusion of prefetches. */
  query(request: Fields, inherited?: unknown): readonly ScoredPoint[] {
    const { query, prefetch, filter = inherited } = request;
    const limit = numberOf(request['limit']) ?? 10;
    const sides = (
      Array.isArray(prefetch) ? prefetch : prefetch === undefined ? [] : [prefetch]
    ).map((one) => this.query(fieldsOf(one), filter));
    const scored = sides.length > 0 ? fusedPoints(sides, query) : this.#score(request, filter);
    return scored.toSorted((a, b) => b.score - a.score).slice(0, limit);
  }

  #score({ query, using }: Fields, filter: unknown): readonly ScoredPoint[] {
    const name = stringOf(using) ?? '';
    const nearest = isRecord(query) && 'nearest' in query ? query['nearest'] : query;
    const points = this.fitting(filter);
    if (Array.isArray(nearest)) {
      const asked = this.#denseOf(name, nearest);
      return points.map((point) => ({ point, score: product(asked, point.dense[name] ?? []) }));
    }
    const asked = sparseOf(nearest);
    const idf = this.#idf(name);
    return points.flatMap((point) => {
      const own = point.sparse[name] ?? new Map<number, number>();
      const shared = [...asked].filter(([index]) => own.has(index));
      if (shared.length === 0) return [];
      const score = shared.reduce(
        (sum, [index, value]) => sum + value * idf(index) * (own.get(index) ?? 0),
        0,
      );
      return [{ point, score }];
    });
  }

  /** Returns the modifier `idf`: ln((N - n + 0.5) / (n + 0.5) + 1). */
  #idf(name: string): (index: number) => number {
    const sparse = fieldsOf(fieldsOf(this.config['sparse_vectors'])[name]);
    if (sparse['modifier'] !== 'idf') return () => 1;
    const all = [...this.points.values()];
    return (index) => {
      const having = all.filter(({ sparse: own }) => own[name]?.has(index)).length;
      return Math.log((all.length - having + 0.5) / (having + 0.5) + 1);
    };
  }

  #read(point: Fields): FakePoint {
    const dense: Record<string, readonly number[]> = {};
    const sparse: Record<string, ReadonlyMap<number, number>> = {};
    for (const [name, vector] of Object.entries(fieldsOf(point['vector']))) {
      if (Array.isArray(vector)) dense[name] = this.#denseOf(name, vector);
      else if (fieldsOf(this.config['sparse_vectors'])[name] === undefined) throw noVector(name);
      else sparse[name] = sparseOf(vector);
    }
    return { id: idOf(point['id']), dense, sparse, payload: fieldsOf(point['payload']) };
  }

  #denseOf(name: string, vector: readonly unknown[]): readonly number[] {
    const form = fieldsOf(fieldsOf(this.config['vectors'])[name]);
    const size = numberOf(form['size']);
    if (size === undefined) throw noVector(name);
    if (vector.length !== size) {
      throw new QdrantRefusal(
        400,
        `Wrong input: Vector dimension error: expected dim: ${size}, got ${vector.length}`,
      );
    }
    const numbers = vector.map(Number);
    const length = Math.hypot(...numbers);
    return numbers.map((number) => number / length);
  }
}

/** Reciprocal ranks as the server counts them, from 0; its own k is 2. */
function fusedPoints(
  sides: readonly (readonly ScoredPoint[])[],
  query: unknown,
): readonly ScoredPoint[] {
  const { rrf, fusion } = fieldsOf(query);
  if (fusion !== 'rrf' && !isRecord(rrf)) throw new QdrantRefusal(400, 'Wrong input: no fusion');
  const k = numberOf(fieldsOf(rrf)['k']) ?? 2;
  const weights = listOf(fieldsOf(rrf)['weights']);
  const points = sides.map((list) => list.map(({ point }) => point));
  const fused = fuseRanks(points, {
    k: k - 1,
    weights: sides.map((_, side) => numberOf(weights[side]) ?? 1),
  });
  return fused.map(({ key, score }) => ({ point: key, score }));
}

function sparseOf(vector: unknown): ReadonlyMap<number, number> {
  const { indices, values } = fieldsOf(vector);
  const [numbers, weights] = [listOf(indices), listOf(values)];
  if (numbers.length !== weights.length || new Set(numbers).size !== numbers.length) {
    throw new QdrantRefusal(422, 'Validation error in JSON body: [vector.indices: must be unique]');
  }
  return new Map(numbers.map((index, at) => [Number(index), Number(weights[at])]));
}

function idOf(id: unknown): string | number {
  if (typeof id === 'number' && Number.isSafeInteger(id) && id >= 0) return id;
  if (typeof id === 'string' && UUID.test(id)) return id.toLowerCase();
  throw new QdrantRefusal(
    400,
    `Format error in JSON body: value ${String(id)} is not a valid point ID, valid values are either an unsigned integer or a UUID`,
  );
}

function product(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}

function noVector(name: string): QdrantRefusal {
  return new QdrantRefusal(400, `Wrong input: Not existing vector name error: ${name}`);
}

/** An answer of the server that is not a success. */
class QdrantRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
