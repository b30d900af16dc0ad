import { type Kinds, optional, TEXT } from '@vizprompt/providers/config/internal';
import type { MemoryContext } from '../store/memory-context.ts';
import { SqlConditions } from '../store/sql.ts';

/** The people that sessions are with, for applications in which several talk. */
export interface Audience {
  /** The person that a session is with, as the application names them. */
  readonly user?: string | undefined;
  /** The room that a session is in, such as a channel. */
  readonly room?: string | undefined;
}

/** Set in code alone: a remote caller does not choose a user. */
const NAME = optional(TEXT, { isCodeOnly: true });
export const AUDIENCE: Kinds<Audience> = { user: NAME, room: NAME };

/** Returns the condition that narrows rows of sessions to an audience; {@link isOf} decides about each. */
export function audienceCondition({ user, room }: Audience): SqlConditions {
  const where = new SqlConditions();
  for (const [key, value] of Object.entries({ user, room })) {
    if (value === undefined) continue;
    const written = JSON.stringify({ [key]: value }).slice(1, -1);
    where.add("metadata LIKE ? ESCAPE '!'", `%${written.replaceAll(/[!%_]/g, '!$&')}%`);
  }
  return where;
}

/** Checks whether the metadata of a session, or their JSON, are those of an audience. */
export function isOf(metadata: unknown, { user, room }: Audience): boolean {
  if (typeof metadata === 'string') return isOf(parsed(metadata), { user, room });
  if (typeof metadata !== 'object' || metadata === null) return false;
  const has = (key: string, value: string | undefined): boolean =>
    value === undefined || Reflect.get(metadata, key) === value;
  return has('user', user) && has('room', room);
}

/** Returns the keys of the sessions with an audience. */
export async function sessionKeysOf(
  { database, tenant }: MemoryContext,
  audience: Audience,
): Promise<readonly number[]> {
  const where = audienceCondition(audience).add('tenant = ?', tenant);
  const rows = await database.query<{ key: number; metadata: string }>(
    `SELECT key, metadata FROM memory_sessions WHERE ${where.sql}`,
    where.params,
  );
  return rows.filter(({ metadata }) => isOf(metadata, audience)).map(({ key }) => key);
}

/** Parses metadata; corrupt metadata belong to no user. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
