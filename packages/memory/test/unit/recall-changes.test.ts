import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MemoryStore, Recalled, RecordedEdit } from '@vizprompt/memory';
import { describe, expect, it } from 'vitest';
import { newStore, temporaryFolder } from '../support/open-store.ts';

interface Opened {
  readonly store: MemoryStore;
  readonly workspace: string;
  readonly session: string;
  change(path: string, newContent: string, reason: string): Promise<RecordedEdit>;
}

async function opened(): Promise<Opened> {
  const workspace = await temporaryFolder();
  const store = await newStore();
  const { id: session } = await store.startSession({ workspace });
  return {
    store,
    workspace,
    session,
    change: (path, newContent, reason) => store.editFile({ session, path, newContent, reason }),
  };
}

const idsOf = ({ events }: Recalled): string[] => events.map(({ event }) => event.id);

describe('a change in recall', () => {
  it('is one entry: the edit, with the reason of its intention', async () => {
    const { store, workspace, change } = await opened();
    const { intention, edit } = await change('期限.ts', 'const 分 = 30;\n', '現場の端末のため😀');
    // Words of the reason find the intention, those of the path and the diff both.
    for (const query of ['現場の端末', 'const 分', undefined]) {
      const request = { workspace, budgetTokens: 500, ...(query === undefined ? {} : { query }) };
      const recalled = await store.recall(request);
      expect([query, idsOf(recalled)]).toEqual([query, [edit.id]]);
      expect(recalled.events[0]?.intention?.id).toBe(intention.id);
      expect(recalled.text.split('+const 分 = 30;')).toHaveLength(2);
      expect(recalled.text).toContain('file_edit\n現場の端末のため😀\ncreated ');
      expect(recalled.omitted).toEqual([]);
    }
    const { events } = await store.recall({ query: '現場の端末', workspace, budgetTokens: 500 });
    expect(events[0]?.reasons).toEqual(['text', 'recent']);
  });

  it('is the newest edit of an intention, with its reason once', async () => {
    const { store, workspace, session } = await opened();
    const file = { action: 'edit', file_path: 'a.ts' } as const;
    const intention = await store.log(session, 'code_intention', { ...file, reason: 'なぜか' });
    const link = { ...file, intention_event_id: intention.id };
    const failure = { ...link, success: false, error_message: 'EBUSY' };
    const failed = await store.log(session, 'file_edit', failure);
    const done = await store.log(session, 'file_edit', { ...link, success: true });
    const recalled = await store.recall({ workspace, path: 'a.ts', budgetTokens: 500 });
    expect(idsOf(recalled)).toEqual([done.id, failed.id]);
    expect(recalled.events.map(({ intention: why }) => why?.id)).toEqual([intention.id, undefined]);
    expect(recalled.text.split('なぜか')).toHaveLength(2);
  });

  it('is the intention alone, where no edit followed or that of another file', async () => {
    const { store, workspace, session } = await opened();
    const plan = { action: 'edit', reason: 'なぜ' } as const;
    const pending = await store.log(session, 'code_intention', { ...plan, file_path: 'a.ts' });
    const edit = { action: 'edit', file_path: 'b.ts', success: true } as const;
    const other = await store.log(session, 'file_edit', edit, { parent: pending.id });
    const recalled = await store.recall({ workspace, budgetTokens: 500 });
    expect(idsOf(recalled).toSorted()).toEqual([pending.id, other.id].toSorted());
    expect(recalled.events.map(({ intention }) => intention)).toEqual([undefined, undefined]);
  });

  it('stays when the intention or the edit was forgotten', async () => {
    const { store, workspace, change } = await opened();
    const first = await change('a.ts', 'a\n', 'first reason');
    const second = await change('b.ts', 'b\n', 'second reason');
    await store.forget({ event: first.intention.id });
    await store.forget({ event: second.edit.id });
    const recalled = await store.recall({ workspace, budgetTokens: 500 });
    expect(idsOf(recalled).toSorted()).toEqual([first.edit.id, second.intention.id].toSorted());
    expect(recalled.text).not.toContain('first reason');
    expect(recalled.text).toContain('wants to create ');
  });
});

describe('of several changes of a file', () => {
  async function changedThrice(): Promise<Opened & { readonly edits: readonly string[] }> {
    const made = await opened();
    const edits: string[] = [];
    for (const [minutes, reason] of [
      [30, '盗まれても困らない'],
      [60, '会議の長さに合わせる'],
      [720, '勤務一回分にする'],
    ] as const) {
      const text = `export const 期限 = ${minutes};\n`;
      const { edit } = await made.change('src/auth.ts', text, reason);
      edits.push(edit.id);
    }
    return { ...made, edits };
  }

  it('the newest comes first, also where there is room for one only', async () => {
    const { store, workspace, edits } = await changedThrice();
    for (const query of ['期限は？', '期限 auth', undefined]) {
      const request = {
        workspace,
        path: 'src/auth.ts',
        ...(query === undefined ? {} : { query }),
      };
      const all = await store.recall({ ...request, budgetTokens: 1000 });
      expect([query, idsOf(all)]).toEqual([query, edits.toReversed()]);
      const scores = all.events.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      const budgetTokens = (all.events[0]?.tokens ?? 0) + 10;
      expect(idsOf(await store.recall({ ...request, budgetTokens }))).toEqual([edits[2]]);
    }
  });

  it('an older one comes first if it is what the query asks for', async () => {
    const { store, workspace, change, session, edits } = await changedThrice();
    await change('src/auth.ts', '// JWT\nexport const 期限 = 720;\n', 'ログを足す');
    const path = 'src/auth.ts';
    const asked = { workspace, path, budgetTokens: 1000 };
    const [first] = idsOf(await store.recall({ ...asked, query: '会議の長さ' }));
    expect(first).toBe(edits[1]);
    const old = await store.log(
      session,
      'file_edit',
      { action: 'edit', file_path: path, diff: '@@ -1 +1 @@\n+期限\n', success: true },
      { timestamp: '2020-10-13T12:00:00Z' },
    );
    const open = { workspace, budgetTokens: 1000 };
    const timed = await store.recall({ ...open, query: '2020年10月13日の期限' });
    expect(idsOf(timed)[0]).toBe(old.id);
    expect(idsOf(await store.recall({ ...open, query: '期限' }))[0]).not.toBe(old.id);
  });

  it('those of other files and what was said keep their places', async () => {
    const { store, workspace, change, session } = await opened();
    const older = await change('a.ts', 'one\n', 'banana');
    await store.log(session, 'user_message', { content: 'banana banana apple' });
    const other = await change('b.ts', 'b\n', 'nothing of it');
    await writeFile(join(workspace, 'a.ts'), 'two\n');
    const newer = await change('a.ts', 'three\n', 'banana');
    const recalled = await store.recall({ query: 'banana', workspace, budgetTokens: 1000 });
    const ids = idsOf(recalled);
    expect(ids.indexOf(newer.edit.id)).toBeLessThan(ids.indexOf(older.edit.id));
    expect(ids.at(-1)).toBe(other.edit.id);
    expect(new Set(ids).size).toBe(4);
  });
});
