import { randomUUID } from 'node:crypto';
import type { MemoryStore, NewEvent } from '@vizprompt/memory';

const WORKSPACE = '/home/mika/neko-cafe';
const SESSION_FILE = `${WORKSPACE}/src/auth/session.ts`;

const OLD_TEXT = `const MINUTES = 60;

export function expiresAt(now: Date): Date {
  return new Date(now.getTime() + MINUTES * 60_000);
}
`;

const NEW_TEXT = `const IDLE_MINUTES = 30;
const MOST_HOURS = 12;

/** Each use keeps a session alive for half an hour, and for half a day at most. */
export function expiresAt(begun: Date, now: Date): Date {
  const idle = now.getTime() + IDLE_MINUTES * 60_000;
  const most = begun.getTime() + MOST_HOURS * 3_600_000;
  return new Date(Math.min(idle, most));
}
`;

const TEST_TEXT = `import { expect, it } from 'vitest';
import { expiresAt } from './session.ts';

it('ends after half a day, however often it is used', () => {
  const begun = new Date('2026-04-01T00:00:00Z');
  expect(expiresAt(begun, new Date('2026-04-01T11:50:00Z'))).toEqual(
    new Date('2026-04-01T12:00:00Z'),
  );
});
`;

/** Two sessions of an agent: one in Japanese that has ended, and one in English that continues. */
export async function seedSessions(memory: MemoryStore): Promise<void> {
  const done = await memory.startSession({
    workspace: WORKSPACE,
    startedAt: '2026-04-01T09:00:00+09:00',
    metadata: { branch: 'feature/session', tags: ['認証'] },
  });
  await memory.logMany(done.id, inOrder('2026-04-01T00:00:00Z', japanese()));
  await memory.updateSession(done.id, { endedAt: '2026-04-01T09:40:00+09:00' });
  const active = await memory.startSession({
    workspace: '/home/mika/menu-printer',
    startedAt: '2026-04-02T10:00:00+09:00',
    metadata: { branch: 'main' },
  });
  await memory.logMany(active.id, inOrder('2026-04-02T01:00:00Z', english()));
}

/** One event a minute. */
function inOrder(start: string, events: readonly NewEvent[]): readonly NewEvent[] {
  const began = Date.parse(start);
  return events.map((event, at) => {
    return { timestamp: new Date(began + at * 60_000).toISOString(), ...event };
  });
}

function japanese(): readonly NewEvent[] {
  const intention = randomUUID();
  const testIntention = randomUUID();
  return [
    {
      type: 'user_message',
      data: {
        content: 'ログインの期限を、操作のたびに30分延ばして、最長12時間にしてください。',
      },
    },
    {
      type: 'thinking',
      data: {
        context: '期限の計算',
        content:
          'いまは固定の60分。延ばすには始まりの時刻が要る。引数に begun を足すと呼び出し側も変わるので、先に使われている所を調べる。',
      },
    },
    {
      type: 'tool_use',
      data: {
        tool: 'Grep',
        parameters: { pattern: 'expiresAt', path: 'src' },
        result: 'src/auth/session.ts:3\nsrc/auth/login.ts:18',
        duration_ms: 41,
        success: true,
      },
    },
    {
      type: 'assistant_message',
      data: {
        content: '`expiresAt` に始まりの時刻を渡し、30分と12時間の早いほうを返すようにします。',
      },
    },
    {
      id: intention,
      type: 'code_intention',
      data: {
        action: 'edit',
        file_path: SESSION_FILE,
        reason: '期限を操作ごとに延ばし、上限を付ける',
        old_content: OLD_TEXT,
        new_content: NEW_TEXT,
      },
    },
    {
      type: 'file_edit',
      data: {
        action: 'edit',
        file_path: SESSION_FILE,
        old_content: OLD_TEXT,
        new_content: NEW_TEXT,
        intention_event_id: intention,
        success: true,
      },
    },
    {
      id: testIntention,
      type: 'code_intention',
      data: {
        action: 'create',
        file_path: `${WORKSPACE}/src/auth/session.test.ts`,
        reason: '上限に当たる場合を確かめる',
        new_content: TEST_TEXT,
      },
    },
    {
      type: 'file_edit',
      data: {
        action: 'create',
        file_path: `${WORKSPACE}/src/auth/session.test.ts`,
        new_content: TEST_TEXT,
        intention_event_id: testIntention,
        success: true,
      },
    },
    {
      type: 'tool_use',
      data: {
        tool: 'Bash',
        parameters: { command: 'npx vitest run src/auth' },
        result: '1 passed',
        duration_ms: 1850,
        success: true,
      },
    },
    {
      type: 'assistant_message',
      data: { content: '直しました。テストは1件、通っています。' },
    },
  ];
}

function english(): readonly NewEvent[] {
  const path = '/home/mika/menu-printer/print.py';
  const old = 'FONT = "Courier"\nSIZE = 9\n';
  const next = 'FONT = "IPAGothic"  # Courier has no kana\nSIZE = 10\n';
  return [
    {
      type: 'user_message',
      data: { content: 'The printed menu shows boxes instead of Japanese. Please fix the font.' },
    },
    {
      type: 'thinking',
      data: {
        context: 'fonts',
        content: 'Courier has no kana. IPAGothic is installed on the machine of the shop.',
      },
    },
    {
      type: 'code_intention',
      data: {
        action: 'edit',
        file_path: path,
        reason: 'a font that has kana',
        old_content: old,
        new_content: next,
      },
    },
    {
      type: 'file_edit',
      data: {
        action: 'edit',
        file_path: path,
        old_content: old,
        new_content: next,
        success: false,
        error_message: 'EACCES: permission denied, open print.py',
      },
    },
    {
      type: 'assistant_message',
      data: { content: 'The file is read-only. May I change its permissions?' },
    },
  ];
}
