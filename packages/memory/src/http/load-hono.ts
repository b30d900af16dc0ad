import { importPeer } from '@vizprompt/providers/internal';
import type * as Hono from 'hono';
import type * as BodyLimit from 'hono/body-limit';
import type * as Cors from 'hono/cors';

/** @throws PeerError if `hono` is not installed. */
export function loadHono(): Promise<typeof Hono> {
  return importPeer('hono', () => import('hono'));
}

/** @throws PeerError if `hono` is not installed. */
export function loadBodyLimit(): Promise<typeof BodyLimit> {
  return importPeer('hono', () => import('hono/body-limit'));
}

/** @throws PeerError if `hono` is not installed. */
export function loadCors(): Promise<typeof Cors> {
  return importPeer('hono', () => import('hono/cors'));
}
