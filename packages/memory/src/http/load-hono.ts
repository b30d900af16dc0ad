import { throwPeerError } from '@vizprompt/providers/internal';
import type * as Hono from 'hono';
import type * as BodyLimit from 'hono/body-limit';
import type * as Cors from 'hono/cors';

/** @throws PeerError if `hono` is not installed. */
export function loadHono(): Promise<typeof Hono> {
  return import('hono').catch(throwPeerError('hono'));
}

/** @throws PeerError if `hono` is not installed. */
export function loadBodyLimit(): Promise<typeof BodyLimit> {
  return import('hono/body-limit').catch(throwPeerError('hono'));
}

/** @throws PeerError if `hono` is not installed. */
export function loadCors(): Promise<typeof Cors> {
  return import('hono/cors').catch(throwPeerError('hono'));
}
