import type Pg from 'pg';
import type * as PgModule from 'pg';
import { exportsOf, toPeerError } from '@vizprompt/providers/internal';

/** How long to wait before a connection that is lost is made again, in milliseconds. */
const AGAIN_MS = 250;

/** Hears what is said on a channel of PostgreSQL. */
export interface Listening {
  close(): Promise<void>;
}

/**
 * Listens to a channel, over a connection of its own that is made again when it is lost.
 *
 * @param hear - Is given what was said; `undefined` where something may have been missed.
 * @throws the error of `pg` if the server cannot be reached at first; PeerError if `pg` is not installed.
 */
export async function listen(
  url: string,
  channel: string,
  hear: (said: string | undefined) => void,
): Promise<Listening> {
  const { default: pg } = await loadPg();
  let client: Pg.Client | undefined;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  const connect = async (): Promise<void> => {
    const own = new pg.Client({ connectionString: url, application_name: 'vizprompt' });
    let hasEnded = false;
    const lost = (): void => {
      if (hasEnded) return;
      hasEnded = true;
      void own.end().catch(() => undefined);
      again();
    };
    own.on('error', lost);
    own.on('end', lost);
    own.on('notification', ({ payload }) => hear(payload));
    try {
      await own.connect();
      await own.query(`LISTEN "${channel}"`);
      client = own;
    } catch (error) {
      hasEnded = true;
      void own.end().catch(() => undefined);
      throw error;
    }
  };
  const again = (): void => {
    if (isClosed) return;
    timer = setTimeout(() => {
      connect().then(() => hear(undefined), again);
    }, AGAIN_MS);
  };

  await connect();
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}

/** @throws PeerError if `pg` is not installed. */
async function loadPg(): Promise<typeof PgModule> {
  try {
    return exportsOf(await import('pg'));
  } catch (error) {
    throw toPeerError(error, 'pg');
  }
}
