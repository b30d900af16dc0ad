import { createHash, createHmac } from 'node:crypto';
import { createTokenCheck } from '@vizprompt/providers/serving';
import { bearerToken } from '@vizprompt/providers/serving/internal';
import type { WebhookScheme } from '../definition/triggers.ts';

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
export function deliveryId(scheme: WebhookScheme, request: SignedRequest): string | undefined {
  return SCHEMES[scheme].deliveryId(request);
}

function isRecent(time: string, now: number): boolean {
  return /^\d{1,12}$/.test(time) && Math.abs(now / 1000 - Number(time)) <= TOLERANCE_S;
}

function hmac(key: string | Buffer, head: string, body: Uint8Array): Buffer {
  return createHmac('sha256', key).update(head).update(body).digest();
}
