import type { JsonValue, Logger } from '@vizprompt/providers';
import {
  FUNCTION,
  having,
  type Kinds,
  LOGGER,
  optional,
  POSITIVE,
  TEXT,
  TEXTS,
} from '@vizprompt/providers/config/internal';
import { silentLogger } from '@vizprompt/providers/internal';
import { createTokenCheck, LOCAL_HOSTS, servingProblem } from '@vizprompt/providers/serving';
import { addressOf, bearerToken, createRequestCheck } from '@vizprompt/providers/serving/internal';
import { checkArgument, checkOptions } from '../check-options.ts';
import type { WorkflowEngine } from '../engine/workflow-engine.ts';
import { toErrorJson, WorkflowError } from '../errors.ts';
import type { RunEvent } from '../events.ts';
import { serveAgUi } from './ag-ui.ts';
import {
  frame,
  htmlResponse,
  jsonResponse,
  problemResponse,
  readBytes,
  readJson,
  responseOfError,
  streamResponse,
} from './http-messages.ts';
import { serveWebhook } from './serve-webhook.ts';

/** Options of {@link createWorkflowHandler}. */
export interface WorkflowHandlerOptions {
  /** The path under which the handler is mounted, such as `/api/workflows`. Default: none. */
  readonly basePath?: string | undefined;
  /**
   * The token that clients must send as `Authorization: Bearer …`, at least 16 characters. Default: none, which is for
   * servers that listen on 127.0.0.1 alone, and for apps with `authorize` or checks of their own in front. Webhooks
   * prove by their signatures who sent them.
   */
  readonly token?: string | undefined;
  /** Returns whether a request is allowed, by the session of the app. Default: all that pass the other checks. */
  readonly authorize?: ((request: Request) => boolean | Promise<boolean>) | undefined;
  /** Names that requests may be for (`Host`), without port. Default: `localhost`, `127.0.0.1` and `[::1]`. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins of other pages that may ask, such as `http://localhost:5173`. Default: none. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** The largest body of a request in bytes. Default: 4,194,304 (4 MiB). */
  readonly maxBodyBytes?: number | undefined;
  /** Receives requests that failed for no fault of the client. Default: a silent one. */
  readonly logger?: Logger | undefined;
}

const MAX_BODY_BYTES = 4 << 20;

const ENGINE = having('an engine: await WorkflowEngine.open({ files })', 'start', 'runs');

const OPTIONS: Kinds<WorkflowHandlerOptions> = {
  basePath: optional(TEXT),
  token: optional(TEXT),
  authorize: optional(FUNCTION),
  allowedHosts: optional(TEXTS),
  allowedOrigins: optional(TEXTS),
  maxBodyBytes: optional(POSITIVE),
  logger: optional(LOGGER),
};

/** A function as servers of the web platform take it: Hono, Next.js, Deno, Bun, Cloudflare. */
export type FetchHandler = (request: Request) => Promise<Response>;

/**
 * Creates the HTTP interface of an engine as a function from request to response:
 *
 * | request | answer |
 * |---|---|
 * | `POST /workflows/NAME` | starts a run with the body (JSON) as `user_input`: 202 and `{ runId }`. With `Idempotency-Key`, the same key has the same run |
 * | `GET /runs` | the newest runs |
 * | `GET /runs/ID` | a run with its steps and questions |
 * | `GET /runs/ID/events` | the run, and what happens in it, as server-sent events |
 * | `GET /runs/ID/page` | the run as an HTML page, which follows it |
 * | `POST /runs/ID/answer` | answers a question: `{ path, value }` |
 * | `POST /runs/ID/cancel` | cancels the run |
 * | `POST /agents/NAME` | leads a workflow for a client of the AG-UI protocol |
 * | `POST /hooks/NAME` | a webhook of the files |
 *
 * Errors are problems as RFC 9457 has them.
 *
 * @throws WorkflowError with the code `invalid-input`.
 *
 * @example
 * ```ts
 * const handler = createWorkflowHandler(engine, { basePath: '/flows', token });
 * app.all('/flows/*', (context) => handler(context.req.raw)); // Hono
 * ```
 */
export function createWorkflowHandler(
  engine: WorkflowEngine,
  options: WorkflowHandlerOptions = {},
): FetchHandler {
  checkArgument('the engine of createWorkflowHandler', engine, ENGINE);
  checkOptions('createWorkflowHandler', options, OPTIONS);
  const { token, basePath = '', logger = silentLogger } = options;
  const problem = servingProblem({ token });
  if (problem !== undefined) throw new WorkflowError('invalid-input', problem);
  const routes = new Routes(engine, options);
  const refuse = refusals(options);
  const base = basePath.replace(/\/+$/, '');
  return async (request) => {
    try {
      const { pathname } = addressOf(request.url);
      const path = pathname.startsWith(`${base}/`) ? pathname.slice(base.length + 1) : undefined;
      const [kind = '', name = '', action] = (path ?? '').split('/').map(decoded);
      const refusal = await refuse(request, kind === 'hooks');
      if (refusal) return refusal;
      const found = routes.find(kind, name, action);
      if (!found) {
        const detail = `there is nothing at ${pathname}`;
        return problemResponse(404, 'not-found', detail);
      }
      const [method, serve] = found;
      if (request.method === method) return await serve(request);
      const detail = `${request.method} is not for ${pathname}: it takes ${method}`;
      return problemResponse(405, 'method-not-allowed', detail, { Allow: method });
    } catch (error) {
      return responseOfError(error, logger);
    }
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new WorkflowError('invalid-input', `'${text}' is no part of an address`);
  }
}

/** Returns the check of a request: its host, its page, its token, the session of the app. */
function refusals({
  token,
  authorize,
  allowedHosts = LOCAL_HOSTS,
  allowedOrigins = [],
}: WorkflowHandlerOptions): (
  request: Request,
  isWebhook: boolean,
) => Promise<Response | undefined> {
  const refusalOf = createRequestCheck({ allowedHosts, allowedOrigins });
  const isToken = token === undefined ? undefined : createTokenCheck(token);
  return async (request, isWebhook) => {
    const { headers } = request;
    const { host } = addressOf(request.url);
    const named = refusalOf({ host: headers.get('host') ?? host });
    const refusal = named ?? refusalOf({ host, origin: headers.get('origin') ?? undefined });
    if (refusal) return problemResponse(refusal.status, refusal.code, refusal.message);
    if (isWebhook) return undefined;
    const given = bearerToken(headers.get('authorization') ?? undefined);
    if (isToken && !isToken(given)) {
      const challenge = { 'WWW-Authenticate': 'Bearer' };
      const detail = 'send the token of this server: Authorization: Bearer …';
      return problemResponse(401, 'unauthorized', detail, challenge);
    }
    if (!authorize || (await authorize(request))) return undefined;
    return problemResponse(403, 'forbidden', 'this request is not allowed');
  };
}

/** A method, and what answers it. */
type Route = readonly [method: 'GET' | 'POST', serve: FetchHandler];

/** The routes of the handler. */
class Routes {
  readonly #engine: WorkflowEngine;
  readonly #most: number;

  constructor(engine: WorkflowEngine, { maxBodyBytes = MAX_BODY_BYTES }: WorkflowHandlerOptions) {
    this.#engine = engine;
    this.#most = maxBodyBytes;
  }

  find(kind: string, name: string, action: string | undefined): Route | undefined {
    const engine = this.#engine;
    if (kind === 'runs' && name === '' && action === undefined) {
      return ['GET', async () => jsonResponse(200, { runs: await engine.runs() })];
    }
    if (name === '') return undefined;
    if (kind === 'runs') return this.#ofRun(name, action);
    if (action !== undefined) return undefined;
    if (kind === 'workflows') return ['POST', (request) => this.#start(name, request)];
    if (kind === 'agents') {
      const serve: FetchHandler = async (request) =>
        serveAgUi(engine, name, await readJson(request, this.#most));
      return ['POST', serve];
    }
    const webhook = kind === 'hooks' ? engine.webhook(name) : undefined;
    if (!webhook) return undefined;
    const serve: FetchHandler = async (request) => {
      const body = await readBytes(request, this.#most);
      return serveWebhook(engine, name, webhook, { request, body, now: Date.now() });
    };
    return ['POST', serve];
  }

  #ofRun(id: string, action: string | undefined): Route | undefined {
    const engine = this.#engine;
    switch (action) {
      case undefined:
        return ['GET', async () => jsonResponse(200, await engine.run(id))];
      case 'events':
        return ['GET', () => followRun(engine, id)];
      case 'page':
        return ['GET', async () => htmlResponse(await engine.toHtml(id, { follow: 'events' }))];
      case 'answer':
        return ['POST', (request) => this.#answer(id, request)];
      case 'cancel': {
        const serve: FetchHandler = async () => {
          await engine.cancel(id);
          return jsonResponse(202, {});
        };
        return ['POST', serve];
      }
      default:
        return undefined;
    }
  }

  async #start(workflow: string, request: Request): Promise<Response> {
    const input = await readJson(request, this.#most);
    const key = request.headers.get('idempotency-key');
    const runId = key === null ? undefined : `${workflow}@${key}`;
    try {
      const run = await this.#engine.start(workflow, input, { runId });
      return jsonResponse(202, { runId: run.id });
    } catch (error) {
      const isSecond = WorkflowError.isInstance(error) && error.code === 'conflict';
      if (!isSecond || runId === undefined) throw error;
      return jsonResponse(200, { runId });
    }
  }

  async #answer(id: string, request: Request): Promise<Response> {
    const body = await readJson(request, this.#most);
    const { path, value }: { path?: unknown; value?: JsonValue } = Object(body);
    if (value === undefined || (path !== undefined && typeof path !== 'string')) {
      const message =
        "the body must be { path, value }: 'path' where the run asks several questions";
      throw new WorkflowError('invalid-input', message);
    }
    await this.#engine.answer(id, value, { path });
    return jsonResponse(202, {});
  }
}

/**
 * Streams a run: first `run`, the run as it is, then each event under its name, until it ends. A client that lost the
 * connection asks again, and has all that ended meanwhile in the first message.
 *
 * @throws WorkflowError with the code `not-found`.
 */
async function followRun(engine: WorkflowEngine, runId: string): Promise<Response> {
  const leaving = new AbortController();
  const run = await engine.attach(runId, { signal: leaving.signal });
  const events = run[Symbol.asyncIterator]();
  const state = await engine.run(runId);
  return streamResponse(framesOf(state, events), {
    onLeave: () => leaving.abort(),
    onError: (error) => frame(toErrorJson(error), 'error'),
  });
}

async function* framesOf(
  state: object,
  events: AsyncGenerator<RunEvent, void, undefined>,
): AsyncGenerator<string, void, undefined> {
  yield `retry: 1000\n${frame(state, 'run')}`;
  for await (const event of events) yield frame(event, event.type);
}
