import { fuseRanks } from '../../retrieval/fuse.ts';
import { fieldsOf, isRecord, listOf, numberOf, stringOf, type Fields } from '../../json/fields.ts';

/** A point as a server keeps it. */
export interface FakePoint {
  readonly id: string | number;
  readonly dense: Readonly<Record<string, readonly number[]>>;
  readonly sparse: Readonly<Record<string, ReadonlyMap<number, number>>>;
  readonly payload: Fields;
}

/** A point that was found. */
export interface ScoredPoint {
  readonly point: FakePoint;
  readonly score: number;
}

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** One collection: named vectors, sparse ones next to them, payloads and filters by keyword. */
export class FakeCollection {
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
export class QdrantRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
