import { createHash } from 'node:crypto';
import { MemoryError, MemoryStore } from '@vizprompt/memory';
import { redact } from '@vizprompt/providers';
import { uuidFromHash } from '@vizprompt/providers/internal';
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

test('a rule of one’s own finds ids that the default rules never take for secrets', async () => {
  const id = '01234567-89ab-4cde-8f01-23456789abcd';
  const store = await newStore({
    redact: { rules: [{ name: 'staff', pattern: /01234567-[\da-f-]{27}/dg }] },
  });
  const session = await store.startSession({ workspace: '/w' });
  const said = { content: 'hello' };

  const event = await store.log(session.id, 'user_message', said, {
    meta: { uuid: id },
  });

  expect(event.meta).toEqual({ uuid: '[redacted:staff]' });
  await expect(store.log(session.id, 'user_message', said, { id })).rejects.toMatchObject({
    code: 'invalid-input',
  });
});

test('the default rules take no UUID for a secret, and no field of ids that recorders write', () => {
  const values = Array.from({ length: 500 }, (_, at) => {
    const digest = createHash('sha256').update(String(at)).digest();
    return [uuidFromHash(digest, 8), digest.toString('base64url'), digest.toString('hex')];
  }).flat();
  const names = ['agent_id', 'intention_event_id', 'message_id', 'parent_tool_use_id'];
  const fields = [...names, 'request_id', 'tool_use_id', 'uuid'];

  const found = values.flatMap((value) => {
    const isUuid = value.length === 36;
    const bare = redact(value).redactions;
    // Some characters begin as a known key does.
    if (bare.length > 0) return isUuid ? [value] : [];
    return fields
      .map((name) => `${name}="${value}"`)
      .filter((text) => redact(text).redactions.length > 0);
  });

  expect(found).toEqual([]);
});

test('a text without a secret is known however many texts come in between', async () => {
  const store = await newStore();
  const session = await store.startSession({ workspace: '/w' });
  const secrets = Array.from({ length: 5000 }, (_, at) => `word ${at} ${GITHUB}`);
  const clean = Array.from({ length: 5000 }, (_, at) => `word ${at}`);

  const texts = [...clean, ...secrets, ...clean];
  const events = await store.logMany(
    session.id,
    texts.map((content) => ({ type: 'user_message', data: { content } })),
  );

  expect(events.map(({ data }) => data)).toEqual(
    texts.map((content) => ({ content: content.replace(GITHUB, '[redacted:github-token]') })),
  );
});
