import {
  type Kinds,
  LOGGER,
  optional,
  POSITIVE,
  SIGNAL,
  TEXT,
  TEXTS,
} from '@vizprompt/providers/config/internal';
import { silentLogger } from '@vizprompt/providers/internal';
import { servingProblem } from '@vizprompt/providers/serving';
import { packageVersion, SERVING_HEADERS } from '@vizprompt/providers/serving/internal';
import type { Hono } from 'hono';
import { checkOptions } from '../check-values.ts';
import { MemoryError } from '../errors.ts';
import type { MemoryStore } from '../memory-store.ts';
import type { MemoryAppOptions } from './app-options.ts';
import { jsonGuard, requestGuard, tokenGuard } from './guards.ts';
import { LiveStreams } from './live-streams.ts';
import { loadBodyLimit, loadCors, loadHono } from './load-hono.ts';
import { problemResponse, responseOfError } from './problem.ts';
import { serveAnswers, serveTimeline } from './serve-live.ts';

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
 * The REST API of a memory as a Hono app, for any server that Hono runs on. Every answer is JSON, every
 * error a problem (RFC 9457); `/api/openapi.json` describes it all. The store stays open.
 *
 * @throws PeerError if `hono` is not installed.
 * @throws MemoryError `invalid-input` for options that make no sense.
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
  const { token, allowedHosts, allowedOrigins = [], logger = silentLogger } = options;
  const { maxBodyBytes = MAX_BODY_BYTES } = options;
  checkOptions('createMemoryApp', options, OPTIONS);
  const problem = servingProblem({ token });
  if (problem !== undefined) throw new MemoryError('invalid-input', problem);
  const [{ Hono: App }, { bodyLimit }, { cors }] = await Promise.all([
    loadHono(),
    loadBodyLimit(),
    loadCors(),
  ]);
  const [{ ROUTES }, { EVENTS_PATH }, { listSessions }, { openApiDocument }] = await Promise.all([
    import('./routes.ts'),
    import('./event-routes.ts'),
    import('./session-routes.ts'),
    import('./openapi.ts'),
  ]);
  const document = openApiDocument(ROUTES, {
    version: packageVersion('@vizprompt/memory', import.meta.url),
    hasToken: token !== undefined,
  });

  const app = new App();
  app.onError((error, { req }) => {
    // Whoever asked has gone, and what was stopped for that is no failure.
    if (req.raw.signal.aborted) return new Response(null, { status: 499 });
    return responseOfError(error, logger);
  });
  app.notFound(({ req }) => {
    const detail = `there is nothing at ${req.path}: /api/openapi.json tells what there is`;
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
