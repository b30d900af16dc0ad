import { inMemoryStorage } from '@vizprompt/providers/node';
import { type ConversationManager, type TalkTurn, TalkError } from '@vizprompt/talktable';
import { describe, expect, it } from 'vitest';
import { failureOf, openManager, turnsOf, twoAndMC } from '../support/support.ts';

/** Values that a disk, a bit or another program leaves in a column, as SQL. */
const VALUES = [
  "X'ff00fe'",
  '\'{"name":\'',
  "'[1, 2]'",
  "'null'",
  '\'"text"\'',
  '\'{"name": 1}\'',
  '\'{"rounds": "three"}\'',
  '\'{"response": [1]}\'',
  '-1',
  '9e99',
  '1.5',
  "'donf'",
] as const;
const COLUMNS = [
  'speaker_name',
  'model_used',
  'prompt',
  'response',
  'timestamp',
  'kind',
  'status',
  'attempt',
  'error',
  'input_tokens',
  'output_tokens',
  'latency_ms',
  'cost_usd',
  'visible_to',
  'exact',
  'finish_reason',
] as const;
/** Columns in which any text is valid, as a participant might have said it. */
const FREE = new Set<string>(['speaker_name', 'model_used', 'prompt', 'response', 'timestamp']);

async function readable(
  manager: ConversationManager,
  id: string,
): Promise<{ readonly numbers: readonly number[]; readonly error: unknown }> {
  const turns: TalkTurn[] = [];
  try {
    for await (const turn of manager.turns(id)) turns.push(turn);
  } catch (error) {
    return { numbers: turns.map(({ number }) => number), error };
  }
  return { numbers: turns.map(({ number }) => number), error: undefined };
}

describe('a damaged row of the log', () => {
  it.each(COLUMNS)('%s: the others are read, and the error says where', async (column) => {
    await using storage = await inMemoryStorage();
    const { database } = storage;
    const manager = await openManager(twoAndMC(), { storage });
    const { conversationId: id } = await manager.start().result();
    const turns = await turnsOf(manager, id);
    const victim = turns[2];
    const sql = `SELECT ${column} AS sound FROM conversation_log WHERE id = ?`;
    const [{ sound } = { sound: null }] = await database.query<{ sound: string | number | null }>(
      sql,
      [victim?.id ?? 0],
    );
    let damages = 0;
    for (const value of VALUES) {
      // oxlint-disable-next-line no-await-in-loop -- one row, damaged in one way after the other
      await database.execute(`UPDATE conversation_log SET ${column} = ${value} WHERE id = ?`, [
        victim?.id ?? 0,
      ]);
      // oxlint-disable-next-line no-await-in-loop -- as above
      const { numbers, error } = await readable(manager, id);
      const left = turns.map(({ number }) => number);
      expect(numbers).toEqual(left.filter((one) => error === undefined || one !== 2));
      if (error === undefined) continue;
      damages++;
      const place = { table: 'conversation_log', id: String(victim?.id) };
      expect(error).toMatchObject({ code: 'corrupt', context: { ...place, damaged: [place] } });
      expect(error).toHaveProperty('message', expect.stringContaining(column));
    }
    expect(damages).toBeGreaterThanOrEqual(FREE.has(column) ? 1 : 5);
    await database.execute(`UPDATE conversation_log SET ${column} = ? WHERE id = ?`, [
      sound,
      victim?.id ?? 0,
    ]);
    expect(await turnsOf(manager, id)).toEqual(turns);
  });

  it('is named in an export, which has the rest; the talk is not continued', async () => {
    await using storage = await inMemoryStorage();
    const { database } = storage;
    const manager = await openManager(twoAndMC(), { storage });
    const run = manager.start();
    manager.on('turn:ended', ({ turn }) => {
      if (turn.number === 3) void manager.stop();
    });
    await run.result();
    const id = run.conversationId;
    await database.execute("UPDATE conversation_log SET error = '{' WHERE turn_number = 1");
    const [before] = await database.query('SELECT COUNT(*) AS n FROM conversation_log');
    const damage = /conversation\\?_log is corrupt: error: expected JSON/;
    for (const format of ['markdown', 'html', 'json'] as const) {
      // oxlint-disable-next-line no-await-in-loop -- three
      const text = await manager.exportConversation(id, format);
      expect(text).toMatch(damage);
      expect(text).toContain('M1');
      expect(text).toContain('B1');
    }
    const error = await failureOf(manager.resume(id).result());
    expect(TalkError.isInstance(error) && error.code).toBe('corrupt');
    expect(await database.query('SELECT COUNT(*) AS n FROM conversation_log')).toEqual([before]);
  });

  it('of a talk is marked in the list, and the other talks are given', async () => {
    await using storage = await inMemoryStorage();
    const { database } = storage;
    const manager = await openManager(twoAndMC(), { storage });
    const ids: string[] = [];
    for (let at = 0; at < 3; at++) {
      // oxlint-disable-next-line no-await-in-loop -- a manager leads one talk at a time
      ids.push((await manager.start().result()).conversationId);
    }
    for (const [column, value] of [
      ['status', "'donf'"],
      ['limits', "'{'"],
      ['limits', '\'{"rounds": "three"}\''],
    ]) {
      const sql = `UPDATE conversation_meta SET status = 'done', limits = NULL WHERE conversation_id = ?`;
      // oxlint-disable-next-line no-await-in-loop -- as above
      await database.execute(sql, [ids[1] ?? '']);
      // oxlint-disable-next-line no-await-in-loop -- as above
      await database.execute(
        `UPDATE conversation_meta SET ${column} = ${value} WHERE conversation_id = ?`,
        [ids[1] ?? ''],
      );
      // oxlint-disable-next-line no-await-in-loop -- as above
      const talks = await manager.conversations();
      expect(talks.map(({ id, damaged }) => [id, damaged !== undefined])).toEqual(
        [...ids].toReversed().map((id) => [id, id === ids[1]]),
      );
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect(await failureOf(manager.conversation(ids[1] ?? ''))).toMatchObject({
        code: 'corrupt',
        context: { table: 'conversation_meta', id: ids[1] },
      });
    }
  });
});
