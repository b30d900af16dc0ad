import type * as Ws from 'ws';
import { throwPeerError } from '@vizprompt/providers/internal';

/** @throws PeerError if `ws` is not installed. */
export function loadWs(): Promise<typeof Ws> {
  return import('ws').catch(throwPeerError('ws'));
}
