import { createHash, createHmac } from 'node:crypto';
import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { createTokenCheck } from '@vizprompt/providers/serving';
import { bearerToken } from '@vizprompt/providers/serving/internal';
import type { Webhook, WebhookScheme } from '../definition/workflow-file.ts';
import type { WorkflowEngine } from '../engine/workflow-engine.ts';
import { WorkflowError } from '../errors.ts';
import { holds, prepareLanguages } from '../language/condition.ts';
import { valueAt } from '../language/variable-path.ts';
import { jsonResponse, problemResponse } from './http-messages.ts';

/** A request to a webhook, with its body as it came. */
interface WebhookRequest {
  readonly request: Request;
  readonly body: Uint8Array;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Starts the workflow of a webhook. The answer comes when the run is in the journal. A second delivery of a request
 * gets the run of the first.
 */
export async function serveWebhook(
  engine: WorkflowEngine,
  name: string,
  webhook: Webhook,
  { request, body, now }: WebhookRequest,
): Promise<Response> {
  const { scheme } = webhook;
  const signed = { headers: request.headers, body, now };
  if (!isGenuine(scheme, signed, secretOf(name, webhook))) {
    return problemResponse(401, 'unauthorized', `the request is not signed as '${scheme}' has it`);
  }
  const variables = variablesOf(request, body);
  // Slack asks whether the address is right.
  const { type, challenge } = Object(variables['body']);
  if (scheme === 'slack' && type === 'url_verification') return jsonResponse(200, { challenge });
  await prepareLanguages();
  if (webhook.when !== undefined && !holds(webhook.when, variables)) {
    return jsonResponse(200, { started: false });
  }
  const delivered = deliveryId(scheme, signed);
  const runId = delivered === undefined ? undefined : `${name}@${plainId(delivered)}`;
  const input = valueAt(webhook.input ?? 'body', variables);
  const { workflow, promptSet } = webhook;
  try {
    const run = await engine.start(workflow, input, { promptSet, runId });
    return jsonResponse(202, { started: true, runId: run.id });
  } catch (error) {
    const isSecond = WorkflowError.isInstance(error) && error.code === 'conflict';
    if (!isSecond || runId === undefined) throw error;
    return jsonResponse(200, { started: false, runId });
  }
}

/** @throws Error if the variable of the secret is not set. */
function secretOf(name: string, { secret }: Webhook): string {
  const [, variable = ''] = /^\$\{(\w+)\}$/.exec(secret) ?? [];
  const value = process.env[variable] ?? '';
  if (value !== '') return value;
  throw new Error(`the webhook '${name}' has no secret: set the variable ${variable}`);
}

function variablesOf(request: Request, body: Uint8Array): JsonObject {
  const { searchParams } = new URL(request.url);
  return {
    body: readBody(request, body),
    headers: Object.fromEntries(request.headers),
    query: Object.fromEntries(searchParams),
  };
}

/** @throws WorkflowError with the code `invalid-input` for a body that is not JSON. */
function readBody(request: Request, bytes: Uint8Array): JsonValue {
  const text = new TextDecoder().decode(bytes);
  if (text === '') return null;
  const type = request.headers.get('content-type') ?? '';
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) {
    const fields = Object.fromEntries(new URLSearchParams(text));
    // Services that send forms put the JSON into a field of this name.
    return fields['payload'] === undefined ? fields : parsed(fields['payload']);
  }
  return parsed(text);
}

function parsed(text: string): JsonValue {
  try {
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch (cause) {
    throw new WorkflowError('invalid-input', 'the body is no JSON', { cause });
  }
}

/** The id of a delivery becomes a part of the id of a run. */
function plainId(id: string): string {
  if (/^[\w.-]{1,80}$/.test(id)) return id;
  return createHash('sha256').update(id).digest('hex').slice(0, 32);
}

/** A request that claims to come from a service. */
interface SignedRequest {
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** How a scheme checks a request. */
interface Scheme {
  isGenuine(request: SignedRequest, secret: string): boolean;
  /** Returns the id of what is delivered, the same in each delivery; nothing where there is none. */
  deliveryId(request: SignedRequest): string | undefined;
}

/** Maximum age of a request in seconds: an older one may be a replay. */
const TOLERANCE_S = 300;

/** Sources: https://www.standardwebhooks.com, GitHub's and Slack's pages on validating deliveries and requests. */
const SCHEMES: Readonly<Record<WebhookScheme, Scheme>> = {
  standard: {
    isGenuine({ headers, body, now }, secret) {
      const id = headers.get('webhook-id') ?? '';
      const time = headers.get('webhook-timestamp') ?? '';
      if (id === '' || !isRecent(time, now)) return false;
      const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
      // Anyone can sign with the empty key, which is all that remains of a secret that is not Base64.
      if (key.length === 0) return false;
      const isExpected = createTokenCheck(
        `v1,${hmac(key, `${id}.${time}.`, body).toString('base64')}`,
      );
      // While a secret is changed, there is a signature for each of both.
      const given = (headers.get('webhook-signature') ?? '').split(' ');
      return given.map(isExpected).includes(true);
    },
    deliveryId: ({ headers }) => headers.get('webhook-id') ?? undefined,
  },
  github: {
    isGenuine({ headers, body }, secret) {
      const expected = `sha256=${hmac(secret, '', body).toString('hex')}`;
      return createTokenCheck(expected)(headers.get('x-hub-signature-256') ?? undefined);
    },
    deliveryId: ({ headers }) => headers.get('x-github-delivery') ?? undefined,
  },
  slack: {
    isGenuine({ headers, body, now }, secret) {
      const time = headers.get('x-slack-request-timestamp') ?? '';
      if (!isRecent(time, now)) return false;
      const expected = `v0=${hmac(secret, `v0:${time}:`, body).toString('hex')}`;
      return createTokenCheck(expected)(headers.get('x-slack-signature') ?? undefined);
    },
    // A retry of Slack has another time, and the same body.
    deliveryId: ({ body }) => createHash('sha256').update(body).digest('hex').slice(0, 32),
  },
  bearer: {
    isGenuine: ({ headers }, secret) =>
      createTokenCheck(secret)(bearerToken(headers.get('authorization') ?? undefined)),
    deliveryId: ({ headers }) => headers.get('idempotency-key') ?? undefined,
  },
};

/** Checks whether a request comes from a sender that has the secret. */
export function isGenuine(scheme: WebhookScheme, request: SignedRequest, secret: string): boolean {
  return secret !== '' && SCHEMES[scheme].isGenuine(request, secret);
}

/** Returns the id of what a genuine request delivers, by which a second delivery is known. */
function deliveryId(scheme: WebhookScheme, request: SignedRequest): string | undefined {
  return SCHEMES[scheme].deliveryId(request);
}

function isRecent(time: string, now: number): boolean {
  return /^\d{1,12}$/.test(time) && Math.abs(now / 1000 - Number(time)) <= TOLERANCE_S;
}

function hmac(key: string | Buffer, head: string, body: Uint8Array): Buffer {
  return createHmac('sha256', key).update(head).update(body).digest();
}
