import { toPeerError } from '@vizprompt/providers/internal';
import type * as Hono from 'hono';
import type * as BodyLimit from 'hono/body-limit';
import type * as Cors from 'hono/cors';

/** @throws PeerError if `hono` is not installed. */
export async function loadHono(): Promise<typeof Hono> {
  try {
    return await import('hono');
  } catch (error) {
    throw toPeerError(error, 'hono');
  }
}

/** @throws PeerError if `hono` is not installed. */
export async function loadBodyLimit(): Promise<typeof BodyLimit> {
  try {
    return await import('hono/body-limit');
  } catch (error) {
    throw toPeerError(error, 'hono');
  }
}

/** @throws PeerError if `hono` is not installed. */
export async function loadCors(): Promise<typeof Cors> {
  try {
    return await import('hono/cors');
  } catch (error) {
    throw toPeerError(error, 'hono');
  }
}
