import { hash as hashOf } from 'node:crypto';

/** Ids that occur only once anywhere: UUIDs, and the long ids of calls. */
const GLOBAL = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$|^(?:toolu|call|srvtoolu)_\w{20,}$/i;

/** Returns an agent's id as it names something in all sessions. */
export function globalKey(session: string, id: string): string {
  return GLOBAL.test(id) ? id : `${session}/${id}`;
}

/** Returns the hash of a text, for keys: 32 hexadecimal digits. */
export function textHash(text: string): string {
  return hashOf('sha256', text).slice(0, 32);
}
