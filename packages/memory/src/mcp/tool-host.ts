import type { Logger } from '@vizprompt/providers';
import { MemoryError } from '../errors.ts';
import type { MemoryStore } from '../memory-store.ts';
import type { SessionInfo } from '../model/session.ts';

/** What tools work with. */
export interface ToolHost {
  readonly store: MemoryStore;
  /** The folder that is meant where a call names none. */
  readonly workspace: string;
  readonly logger: Logger;
}

/** Tools that change nothing, in a world that is known. */
export const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** Tools that add to the memory and take nothing away. */
export const ADDS = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
} as const;

/**
 * The session that a call names, or the one that runs in the workspace.
 *
 * @throws MemoryError `session-not-found`.
 */
export async function sessionOf(
  { store, workspace }: ToolHost,
  id: string | undefined,
): Promise<SessionInfo> {
  if (id !== undefined) return store.getSession(id);
  const session = await store.currentSession(workspace);
  if (session) return session;
  throw new MemoryError('session-not-found', `no session runs in ${workspace}`);
}
