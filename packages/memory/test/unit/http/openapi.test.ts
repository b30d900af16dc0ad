import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { describe, expect, it } from 'vitest';
import { serveStore, type TestApi } from '../../support/http/serve-store.ts';

/** As much of an OpenAPI document as the tests look at. */
interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
  readonly security?: readonly object[];
}

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema: object;
  }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: object }>>;
  };
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly schema: object }>> }>
  >;
}

const documentOf = async ({ call }: TestApi): Promise<Document> => {
  return (await call('/api/openapi.json')).body as Document;
};

function problemsOf(
  { components }: Document,
  part: object | undefined,
  value: unknown,
): string | undefined {
  const schema: object = { ...(part ?? { not: {} }), components };
  const result = new AjvJsonSchemaValidator().getValidator(schema)(value);
  return result.valid ? undefined : result.errorMessage;
}

describe('the OpenAPI document', () => {
  it('names every route with its verb', async () => {
    const { openapi, paths, security } = await documentOf(await serveStore());
    expect(openapi).toBe('3.1.0');
    expect(security).toBeUndefined();
    const routes = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(routes.toSorted()).toEqual([
      'GET /api/events/{id}',
      'GET /api/files',
      'GET /api/files/{path}/at',
      'GET /api/files/{path}/history',
      'GET /api/search',
      'GET /api/sessions',
      'GET /api/sessions/{id}',
      'GET /api/sessions/{id}/events',
      'GET /api/stats',
      'PATCH /api/sessions/{id}',
      'POST /api/events',
      'POST /api/sessions',
    ]);
    const operations = Object.values(paths).flatMap((path) => Object.values(path));
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    const search = paths['/api/search']?.['get'];
    expect(search?.parameters.map(({ name }) => name)).toEqual([
      'q',
      'workspace',
      'session',
      'type',
      'path',
      'after',
      'before',
      'limit',
      'k',
      'around',
      'vectors',
    ]);
    expect(search?.parameters.find(({ name }) => name === 'limit')?.schema).toMatchObject({
      minimum: 1,
      maximum: 100,
      default: 10,
    });
    for (const [path, parameter] of [
      ['/api/sessions/{id}/events', 'Last-Event-ID'],
      ['/api/sessions', 'limit'],
    ] as const) {
      const operation = paths[path]?.['get'];
      expect(operation?.responses['200']?.content).toHaveProperty(['text/event-stream']);
      expect(operation?.parameters.at(-1)?.name).toBe(parameter);
    }
    const guarded = await serveStore({ token: 'a-token-of-some-length' });
    const headers = { authorization: 'Bearer a-token-of-some-length' };
    const { body } = await guarded.call('/api/openapi.json', { headers });
    expect(body).toMatchObject({ security: [{ token: [] }] });
  });

  it('describes every answer as it is, and every problem', async () => {
    const api = await serveStore();
    const document = await documentOf(api);
    const { paths, components } = document;
    const { id } = await api.store.startSession({ workspace: '/a', metadata: { tags: ['x'] } });
    const intention = await api.store.log(id, 'code_intention', {
      action: 'create',
      file_path: 'a.ts',
      reason: '理由',
    });
    const { id: event } = await api.store.log(
      id,
      'file_edit',
      { action: 'create', file_path: 'a.ts', new_content: 'a\n', success: true },
      { parent: intention.id, meta: { model: 'm' } },
    );
    await api.store.forget({ event: (await api.store.log(id, 'thinking', { content: 'x' })).id });
    const addresses: readonly [string, string, string, object?][] = [
      ['get', '/api/sessions', '/api/sessions?limit=1'],
      ['get', '/api/sessions/{id}', `/api/sessions/${id}`],
      ['get', '/api/sessions/{id}/events', `/api/sessions/${id}/events?contents=read`],
      ['get', '/api/events/{id}', `/api/events/${event}`],
      ['get', '/api/search', '/api/search?q=%E7%90%86%E7%94%B1'],
      ['get', '/api/files', '/api/files?limit=1'],
      ['get', '/api/files/{path}/history', '/api/files/%2Fa%2Fa.ts/history'],
      ['get', '/api/files/{path}/at', '/api/files/%2Fa%2Fa.ts/at'],
      ['get', '/api/stats', '/api/stats'],
      ['post', '/api/sessions', '/api/sessions', { workspace_path: '/b' }],
      ['patch', '/api/sessions/{id}', `/api/sessions/${id}`, { metadata: { tags: ['y'] } }],
      [
        'post',
        '/api/events',
        '/api/events',
        { session_id: id, type: 'user_message', data: { content: 'a' } },
      ],
    ];
    expect(addresses).toHaveLength(
      Object.values(paths).flatMap((path) => Object.keys(path)).length,
    );
    for (const [method, path, address, body] of addresses) {
      const operation = paths[path]?.[method];
      const answer = await api.call(address, {
        method: method.toUpperCase(),
        ...(body ? { body } : {}),
      });
      expect([path, answer.status < 300]).toEqual([path, true]);
      const schema =
        operation?.responses[String(answer.status)]?.content['application/json']?.schema;
      expect([path, problemsOf(document, schema, answer.body)]).toEqual([path, undefined]);
      if (!body) continue;
      const sent = operation?.requestBody?.content['application/json']?.schema;
      expect([path, problemsOf(document, sent, body)]).toEqual([path, undefined]);
      expect(problemsOf(document, sent, { ...body, song: 1 })).toBeDefined();
    }
    const references = JSON.stringify(document).match(/"#\/[^"]*"/g) ?? [];
    expect(new Set(references)).toEqual(
      new Set(['Event', 'Problem', 'Session'].map((name) => `"#/components/schemas/${name}"`)),
    );
    expect(Object.keys(components.schemas).toSorted()).toEqual(['Event', 'Problem', 'Session']);
    const { body: problem } = await api.call('/api/sessions?limit=x');
    expect(problemsOf(document, components.schemas['Problem'], problem)).toBeUndefined();
  });
});
