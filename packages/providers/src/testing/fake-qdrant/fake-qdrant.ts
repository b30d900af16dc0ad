import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { fieldsOf, listOf, numberOf, stringOf, type Fields } from '../../json/fields.ts';
import { FakeCollection, QdrantRefusal, type FakePoint } from './fake-collection.ts';
import { checkOptions } from '../../input/check-input.ts';
import { TEXT, optional, type Kinds } from '../../input/kinds.ts';
import { isError } from '../../errors.ts';

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
