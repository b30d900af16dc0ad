import { MemoryStore } from '@vizprompt/memory';
import { expect, it } from 'vitest';
import { temporaryFolder } from './support.ts';

it('keeps what is logged, numbered without gaps, and finds it', async () => {
  const folder = await temporaryFolder();
  const path = `${folder}/m.db`;
  await using store = await MemoryStore.open({ path });
  const session = await store.startSession({ workspace: '/work/app', metadata: { tags: ['a'] } });
  const first = await store.log(session.id, 'user_message', {
    content: '認証機能を追加してください',
  });
  const many = await store.logMany(session.id, [
    { type: 'thinking', data: { content: 'JWTを使用し' } },
    {
      type: 'code_intention',
      data: {
        action: 'edit',
        file_path: 'src/a.ts',
        reason: 'because',
        old_content: 'a\n\tb\n',
        new_content: 'a\n\tc\n',
      },
    },
  ]);
  expect(first.sequence).toBe(1);
  expect(many.map(({ sequence }) => sequence)).toEqual([2, 3]);
  const { events } = await store.events(session.id).page();
  expect(events).toEqual([first, ...many]);
  console.log(JSON.stringify(events, null, 1));
  console.log(await store.search('JWT'));
  console.log(await store.listSessions({ tag: 'a' }), await store.currentSession('/work/app'));
});
