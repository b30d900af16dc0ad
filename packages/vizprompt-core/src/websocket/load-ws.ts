import { importPeer } from '@vizprompt/providers';
import type * as Ws from 'ws';

/** @throws PeerError if `ws` is not installed. */
export function loadWs(): Promise<typeof Ws> {
  return importPeer('ws', () => import('ws'));
}
