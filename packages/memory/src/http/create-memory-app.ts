import {
  type Kinds,
  LOGGER,
  optional,
  POSITIVE,
  SIGNAL,
  TEXT,
  TEXTS,
} from '@vizprompt/providers/config/internal';
import { silentLogger, toPeerError } from '@vizprompt/providers/internal';
import { servingProblem, createTokenCheck, LOCAL_HOSTS } from '@vizprompt/providers/serving';
import {
  packageVersion,
  SERVING_HEADERS,
  addressOf,
  bearerToken,
  createRequestCheck,
} from '@vizprompt/providers/serving/internal';
import type * as HonoModule from 'hono';
import type { Hono, MiddlewareHandler } from 'hono';
import type * as BodyLimit from 'hono/body-limit';
import type * as Cors from 'hono/cors';
import { checkArgument, checkOptions } from '../check-values.ts';
import { MemoryError } from '../errors.ts';
import type { MemoryStore } from '../memory-store.ts';
import { STORE } from '../model/input-kinds.ts';
import type { MemoryAppOptions } from './app-options.ts';
import { problemResponse, responseOfError } from './problem.ts';
import { LiveStreams, serveAnswers, serveTimeline } from './server-sent-events.ts';

const MAX_BODY_BYTES = 64 * 1024 * 1024;

const OPTIONS: Kinds<MemoryAppOptions> = {
  token: optional(TEXT),
  allowedHosts: optional(TEXTS),
  allowedOrigins: optional(TEXTS),
  maxBodyBytes: optional(POSITIVE),
  maxStreams: optional(POSITIVE),
  maxStreamsPerClient: optional(POSITIVE),
  pollMs: optional(POSITIVE),
  keepAliveMs: optional(POSITIVE),
  signal: optional(SIGNAL),
  logger: optional(LOGGER),
};

/**
 * Returns the REST API of a memory as a Hono app, for any server that Hono runs on. Every answer is JSON, every
 * error a problem (RFC 9457); `/api/openapi.json` describes it all. The store stays open.
 *
 * @throws PeerError if `hono` is not installed.
 * @throws MemoryError `invalid-input` for a store or options that make no sense.
 *
 * @example
 * ```ts
 * import { serve } from '@hono/node-server';
 *
 * const app = await createMemoryApp(store);
 * serve({ fetch: app.fetch, port: 7737, hostname: '127.0.0.1' });
 * ```
 */
export async function createMemoryApp(
  store: MemoryStore,
  options: MemoryAppOptions = {},
): Promise<Hono> {
  checkArgument('the store of createMemoryApp', store, STORE);
  checkOptions('createMemoryApp', options, OPTIONS);
  const { token, allowedHosts, allowedOrigins = [], logger = silentLogger } = options;
  const { maxBodyBytes = MAX_BODY_BYTES } = options;
  const problem = servingProblem({ token });
  if (problem !== undefined) throw new MemoryError('invalid-input', problem);
  const [{ Hono: App }, { bodyLimit }, { cors }] = await Promise.all([
    loadHono(),
    loadBodyLimit(),
    loadCors(),
  ]);
  const [{ EVENTS_PATH, listSessions, ROUTES }, { openApiDocument }] = await Promise.all([
    import('./routes.ts'),
    import('./openapi.ts'),
  ]);
  const document = openApiDocument(ROUTES, {
    version: packageVersion('@vizprompt/memory', import.meta.url),
    hasToken: token !== undefined,
  });

  const app = new App();
  app.onError((error, { req }) => {
    // The client has gone, and a request that was stopped for that is not a failure.
    if (req.raw.signal.aborted) return new Response(null, { status: 499 });
    return responseOfError(error, logger);
  });
  app.notFound(({ req }) => {
    const detail = `there is nothing at ${req.path}: see /api/openapi.json`;
    return problemResponse(404, 'not-found', detail);
  });
  app.use(async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(SERVING_HEADERS)) context.header(name, value);
    context.header('Cache-Control', 'no-store');
  });
  app.use(requestGuard(allowedHosts, allowedOrigins));
  if (allowedOrigins.length > 0) app.use(cors({ origin: [...allowedOrigins] }));
  if (token !== undefined) app.use(tokenGuard(token));
  const onError = (): Response => {
    return problemResponse(413, 'too-large', `bodies have at most ${maxBodyBytes} bytes`);
  };
  app.use(jsonGuard, bodyLimit({ maxSize: maxBodyBytes, onError }));

  app.get('/api/openapi.json', (context) => context.json(document));
  const streams = new LiveStreams(options, logger);
  app.get(EVENTS_PATH, serveTimeline(store, streams));
  app.get(listSessions.path, serveAnswers(store, streams, listSessions));
  for (const route of ROUTES) {
    app.on(route.method.toUpperCase(), route.path, (context) =>
      route.serve(store, context, streams.held),
    );
  }
  for (const path of new Set(['/api/openapi.json', ...ROUTES.map((route) => route.path)])) {
    const methods = ROUTES.filter((route) => route.path === path).map(({ method }) => method);
    const allow = (methods.length > 0 ? methods : ['get']).join(', ').toUpperCase();
    app.all(path, ({ req }) => {
      const detail = `${req.method} is not for ${req.path}: it takes ${allow}`;
      return problemResponse(405, 'method-not-allowed', detail, { headers: { Allow: allow } });
    });
  }
  return app;
}

/**
 * Lets requests through that are for one of the names, and that no page sent, or one of the same host and
 * port, or an allowed one.
 */
function requestGuard(
  allowedHosts: readonly string[] = LOCAL_HOSTS,
  allowedOrigins: readonly string[] = [],
): MiddlewareHandler {
  const refusalOf = createRequestCheck({ allowedHosts, allowedOrigins });
  return async ({ req }, next) => {
    // An address in the first line of a request takes precedence over the header.
    const { host } = addressOf(req.url);
    const named = refusalOf({ host: req.header('host') ?? host });
    const refusal = named ?? refusalOf({ host, origin: req.header('origin') });
    if (!refusal) return next();
    return problemResponse(refusal.status, refusal.code, refusal.message);
  };
}

/** Lets requests through that bring the token; how long the check takes reveals nothing about it. */
function tokenGuard(token: string): MiddlewareHandler {
  const isToken = createTokenCheck(token);
  return async ({ req }, next) => {
    if (isToken(bearerToken(req.header('authorization')))) return next();
    const detail = 'the token is missing or wrong: send it as Authorization: Bearer TOKEN';
    const headers = { 'WWW-Authenticate': 'Bearer' };
    return problemResponse(401, 'token-wrong', detail, { headers });
  };
}

/** Lets bodies through that say that they are JSON: a form of a foreign page cannot. */
const jsonGuard: MiddlewareHandler = async ({ req }, next) => {
  const hasBody = req.method === 'POST' || req.method === 'PATCH';
  const type = (req.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (!hasBody || type === 'application/json') return next();
  const detail = 'the body must be JSON: send it with Content-Type: application/json';
  return problemResponse(415, 'not-json', detail);
};

/** @throws PeerError if `hono` is not installed. */
async function loadHono(): Promise<typeof HonoModule> {
  try {
    return await import('hono');
  } catch (error) {
    throw toPeerError(error, 'hono');
  }
}

/** @throws PeerError if `hono` is not installed. */
async function loadBodyLimit(): Promise<typeof BodyLimit> {
  try {
    return await import('hono/body-limit');
  } catch (error) {
    throw toPeerError(error, 'hono');
  }
}

/** @throws PeerError if `hono` is not installed. */
async function loadCors(): Promise<typeof Cors> {
  try {
    return await import('hono/cors');
  } catch (error) {
    throw toPeerError(error, 'hono');
  }
}
