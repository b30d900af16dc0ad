import type * as Ws from 'ws';
import { toPeerError } from '@vizprompt/providers/internal';

/** @throws PeerError if `ws` is not installed. */
export async function loadWs(): Promise<typeof Ws> {
  try {
    return await import('ws');
  } catch (error) {
    throw toPeerError(error, 'ws');
  }
}
