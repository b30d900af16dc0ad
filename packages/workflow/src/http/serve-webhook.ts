import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '@vizprompt/providers';
import type { Webhook } from '../definition/triggers.ts';
import type { WorkflowEngine } from '../engine/workflow-engine.ts';
import { WorkflowError } from '../errors.ts';
import { holds } from '../language/condition.ts';
import { prepareLanguages } from '../language/prepare.ts';
import { valueAt } from '../language/variable-path.ts';
import { jsonResponse, problemResponse } from './answers.ts';
import { deliveryId, isGenuine } from './verify-webhook.ts';

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
