import type * as Ws from 'ws';
import { importPeer } from '@vizprompt/providers/internal';

/** @throws PeerError if `ws` is not installed. */
export function loadWs(): Promise<typeof Ws> {
  return importPeer('ws', () => import('ws'));
}
