import { z } from 'zod';
import { problemAnswer } from './answers.ts';
import type { ApiRoute } from './define-route.ts';

/** Part of an OpenAPI document. */
export type OpenApiObject = Readonly<Record<string, unknown>>;

const PROBLEMS: Readonly<Record<number, string>> = {
  400: 'Something in the request is wrong: the problem names it',
  401: 'The token is missing or wrong',
  403: 'The page that asks may not',
  404: 'There is no such session or event',
  409: 'There is one with this id already, the session has ended, or the text cannot be rebuilt',
  413: 'The body or a text in it is too large',
  415: 'The body is not said to be JSON',
  421: 'The server does not answer for this host',
  500: 'The server failed; its log says why',
  503: 'The memory is busy or closed, or too many streams are open',
};
/** Those that every route may answer with. */
const EVERYWHERE = [400, 403, 421, 500, 503];

/** Returns the OpenAPI document of the routes: made of the schemas that they check with. */
export function openApiDocument(
  routes: readonly ApiRoute[],
  { version, hasToken }: { readonly version: string; readonly hasToken: boolean },
): OpenApiObject {
  const schemas = new OpenApiSchemas();
  schemas.of(problemAnswer);
  const paths: Record<string, Record<string, OpenApiObject>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)(?:\{[^}]*\})?/g, '{$1}');
    paths[path] = { ...paths[path], [route.method]: operationOf(route, schemas, hasToken) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'The memory of agents',
      version,
      description:
        'Sessions and what happened in them, verbatim. Times are ISO 8601, ids are texts.',
    },
    paths,
    components: {
      schemas: schemas.named,
      ...(hasToken ? { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } } : {}),
    },
    ...(hasToken ? { security: [{ token: [] }] } : {}),
  };
}

function operationOf(route: ApiRoute, schemas: OpenApiSchemas, hasToken: boolean): OpenApiObject {
  const { name, summary, body, answer, status, live } = route;
  const content = {
    'application/json': { schema: schemas.of(answer) },
    ...(live
      ? {
          'text/event-stream': { schema: { type: 'string', description: live.description } },
        }
      : {}),
  };
  const statuses = [...EVERYWHERE, ...(hasToken ? [401] : []), ...route.problems];
  const problems = statuses.toSorted((a, b) => a - b).map((code) => [code, problemOf(code)]);
  return {
    operationId: name,
    summary,
    parameters: [
      ...pathParameters(route.path),
      ...queryParameters(route.query?.jsonSchema),
      ...(live?.resumes ? [LAST_EVENT_ID] : []),
    ],
    ...(body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: body.jsonSchema } },
          },
        }
      : {}),
    responses: {
      [status]: { description: summary, content },
      ...Object.fromEntries(problems),
    },
  };
}

const LAST_EVENT_ID = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'For text/event-stream: the sequence after which to continue; it precedes after',
  schema: { type: 'integer', minimum: 0 },
};

function pathParameters(path: string): OpenApiObject[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: name === 'path' ? 'The file, percent-encoded: %2Fhome%2Fme%2Fa.ts' : `The ${name}`,
    schema: { type: 'string' },
  }));
}

function queryParameters(schema: OpenApiObject | undefined): OpenApiObject[] {
  if (!schema) return [];
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  return Object.entries(schema['properties'] ?? {}).map(([name, value]) => ({
    name,
    in: 'query',
    required: required.has(name),
    schema: value,
  }));
}

function problemOf(status: number): OpenApiObject {
  const schema = { $ref: '#/components/schemas/Problem' };
  return {
    description: PROBLEMS[status] ?? '',
    content: { 'application/problem+json': { schema } },
  };
}

/** Collects the schemas of a document that others refer to. */
class OpenApiSchemas {
  readonly #named: Record<string, unknown> = {};

  /** The components that were referred to so far. */
  get named(): OpenApiObject {
    return this.#named;
  }

  /** Returns a schema as JSON Schema, with what has a name among the components. */
  of(schema: z.ZodType): OpenApiObject {
    const made = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    const { $schema: _dialect, $defs: parts = {}, ...rest } = made;
    for (const [name, part] of Object.entries(parts)) {
      this.#named[componentOf(name)] = withReferences(part);
    }
    return withReferences(rest);
  }
}

/** Schemas that zod numbers are recursive, and the one such schema here is that of any JSON. */
function componentOf(name: string): string {
  return name.startsWith('__schema') ? 'Json' : name;
}

/** References in a document begin at its root. */
function withReferences(schema: object): OpenApiObject {
  const text = JSON.stringify(schema, (key, value: unknown) => {
    if (key !== '$ref' || typeof value !== 'string') return value;
    return `#/components/schemas/${componentOf(value.replace('#/$defs/', ''))}`;
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object stays one
  return JSON.parse(text) as OpenApiObject;
}
