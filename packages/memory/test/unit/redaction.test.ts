import { MemoryError, MemoryStore } from '@vizprompt/memory';
import { expect, test } from 'vitest';
import { newStorage, newStore } from '../support/open-store.ts';

const GITHUB = 'ghp_0123456789abcdef0123456789abcdef0123';

test('rules of one’s own come on top of the default rules', async () => {
  const store = await newStore({ redact: { rules: [{ name: 'staff', pattern: /社員-\d{4}/dg }] } });
  const session = await store.startSession({ workspace: '/w' });

  const event = await store.log(session.id, 'user_message', {
    content: `社員-1234 uses ${GITHUB} <private>😀</private>`,
  });

  expect(event.data).toMatchObject({
    content: '[redacted:staff] uses [redacted:github-token] <private>[redacted:private]</private>',
  });
  expect(event.redactions).toBe(3);
});

test('a rule with the wrong flags is refused when the store is opened', async () => {
  const storage = await newStorage();
  const opened = MemoryStore.open({
    storage,
    redact: { rules: [{ name: 'staff', pattern: /社員-\d{4}/g }] },
  });

  await expect(opened).rejects.toThrow(MemoryError);
  await expect(opened).rejects.toMatchObject({
    code: 'invalid-input',
    message: expect.stringContaining("'staff'"),
  });
});

test('keys of objects are clean too, and stay apart', async () => {
  const store = await newStore();
  const session = await store.startSession({ workspace: '/w' });
  const keys = { [GITHUB]: 1, [`${GITHUB}9`]: '鍵', list: [{ [GITHUB]: 2 }] };
  const clean = {
    '[redacted:github-token]': 1,
    '[redacted:github-token] (2)': '鍵',
    list: [{ '[redacted:github-token]': 2 }],
  };

  const used = await store.log(
    session.id,
    'tool_use',
    { tool: 't', parameters: keys, result: keys },
    { meta: keys },
  );
  const said = await store.log(session.id, 'assistant_message', {
    content: '<PRIVATE why="x">a<private>b</private>c</PRIVATE>',
    tool_calls: [{ tool: 't', args: keys }],
  });

  expect(used).toMatchObject({ data: { parameters: clean, result: clean }, meta: clean });
  expect(said.data).toMatchObject({
    content: '<PRIVATE why="x">[redacted:private]</PRIVATE>',
    tool_calls: [{ args: clean }],
  });
  expect(await store.getEvent(used.id)).toEqual(used);
  expect(used.redactions).toBe(9);
  await expect(
    store.log(session.id, 'tool_use', { tool: 't', parameters: { '\ud83d': 1 } }),
  ).rejects.toMatchObject({ code: 'invalid-text' });
});
