// How @vizprompt/memory will stand on the contracts. It is compiled, not run.
import {
  redact,
  textOf,
  type Database,
  type Retriever,
  type Storage,
  type Turn,
  type TurnRecorder,
} from '@vizprompt/providers';
import { createTextIndex, type TextIndex } from '@vizprompt/providers/text';

/** One event: the row and its terms in one transaction, the number gapless by a counter row. */
export async function log(
  database: Database,
  index: TextIndex,
  session: string,
  type: string,
  data: { readonly content: string },
): Promise<number> {
  const content = redact(data.content).text;
  return database.transaction(async (tx) => {
    const [row] = await tx.query<{ sequence: number; id: number }>(
      'UPDATE memory_session SET last = last + 1 WHERE id = ? RETURNING last AS sequence, last AS id',
      [session],
    );
    const { sequence = 1, id = 1 } = row ?? {};
    await tx.execute('INSERT INTO memory_event VALUES (?, ?, ?, ?, ?)', [
      id,
      session,
      sequence,
      type,
      JSON.stringify({ content }),
    ]);
    for (const { sql, params } of index.put({ id, fields: { content } })) {
      await tx.execute(sql, params);
    }
    return sequence;
  });
}

/** Search that is filtered before it is cut off. */
export async function open({ database }: Storage): Promise<Retriever> {
  const index = await createTextIndex(database, {
    name: 'memory_text',
    table: 'memory_event',
    key: 'id',
    fields: { content: 1 },
  });
  return {
    specVersion: 1,
    async retrieve(query, { k = 10, filter = {} } = {}) {
      const { session } = filter;
      const hits = await index.search(query, {
        limit: k,
        where: { sql: 'session = ?', params: [typeof session === 'string' ? session : ''] },
      });
      return hits.map(({ id, score }) => ({
        id: String(id),
        score,
        text: '',
        source: { kind: 'event', uri: `event:${id}` },
      }));
    },
  };
}

/** A turn that happened elsewhere becomes events; recorded again it adds nothing. */
export function recorder(write: (turn: Turn, text: string) => Promise<void>): TurnRecorder {
  return {
    specVersion: 1,
    async record(turn) {
      if (turn.status !== 'pending') await write(turn, textOf(turn.output));
    },
  };
}
