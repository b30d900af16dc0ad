import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { JsonObject } from '@vizprompt/providers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { handleHook } from '../../../src/hooks/index.ts';
import type { MemoryEvent } from '../../../src/index.ts';
import {
  allEvents,
  newFolder,
  onlyEvents,
  openMemory,
  put,
} from '../../support/capture/open-memory.ts';
import { OpencodeLog } from '../../support/capture/opencode-log.ts';

const HERE = '/home/ann/shop';

function shown(events: readonly MemoryEvent[] = []): string[] {
  return events.map(({ type, data }) => {
    if ('content' in data) return `${type} ${data.content}`;
    if ('file_path' in data) return `${type} ${data.action} ${data.file_path}`;
    return `${type} ${'tool' in data ? data.tool : ''}`;
  });
}

describe('the database of opencode', () => {
  it('becomes sessions and events', async () => {
    const folder = await newFolder();
    const log = new OpencodeLog(join(folder, 'opencode.db'));
    const one = log.session(HERE, null, '灯台');
    const synthetic = { type: 'text', text: 'Called the Read tool', synthetic: true };
    log.ask(one, '直して', synthetic, {
      type: 'file',
      mime: 'image/png',
      url: 'data:image/png;base64,AA==',
    });
    log.answer(one, {
      think: 'まず読む',
      say: '読みます',
      calls: [
        {
          tool: 'read',
          input: { filePath: `${HERE}/a.ts` },
          output: `<path>${HERE}/a.ts</path>\n<type>file</type>\n<content>\n1: 一\n2: 二\n\n(End of file - total 2 lines)\n</content>`,
        },
      ],
    });
    log.answer(one, {
      say: '書きます',
      calls: [
        {
          tool: 'write',
          input: { filePath: `${HERE}/new.ts`, content: 'x\n' },
          metadata: { exists: false },
        },
        { tool: 'edit', input: { filePath: `${HERE}/a.ts`, oldString: '二', newString: '$& 三' } },
        {
          tool: 'edit',
          input: { filePath: `${HERE}/a.ts`, oldString: '無い', newString: '' },
          error: 'not found',
        },
        { tool: 'bash', input: { command: 'exit 3' }, output: '出力', metadata: { exit: 3 } },
      ],
    });
    const child = log.session(HERE, one);
    log.ask(child, '調べて');
    log.answer(child, { say: '調べました' });
    log.answer(one, { say: '# 要約', info: { summary: true } });
    const store = await openMemory();
    const report = await store.importTranscript(folder);
    expect(report).toMatchObject({ files: 2, unknown: {}, refused: [], unknownTexts: 0 });
    const sessions = await store.listSessions();
    const byName = (name: string) =>
      sessions.find(({ metadata }) => metadata['source_id'] === name) ?? sessions[0];
    expect(byName(one)).toMatchObject({
      workspace_path: HERE,
      metadata: { agent: 'opencode', title: '灯台', agent_version: '1.18.33' },
    });
    expect(byName(child)).toMatchObject({ metadata: { parent_session: one, kind: 'subagent' } });
    const all = await allEvents(store);
    const events = all.get(byName(one)?.id ?? '') ?? [];
    expect(shown(events)).toEqual([
      'user_message 直して',
      'thinking まず読む',
      'assistant_message 読みます',
      'tool_use read',
      'assistant_message 書きます',
      `code_intention create ${HERE}/new.ts`,
      `file_edit create ${HERE}/new.ts`,
      `code_intention edit ${HERE}/a.ts`,
      `file_edit edit ${HERE}/a.ts`,
      `code_intention edit ${HERE}/a.ts`,
      `file_edit edit ${HERE}/a.ts`,
      'tool_use edit',
      'tool_use bash',
      'assistant_message # 要約',
    ]);
    expect(events[8]?.data).toMatchObject({ old_content: '一\n二\n', new_content: '一\n$& 三\n' });
    expect(events[10]?.data).toMatchObject({ success: false, error_message: 'not found' });
    expect(events[12]?.data).toMatchObject({ result: '出力', success: false });
    expect(events[13]?.meta).toMatchObject({ is_compact_summary: true });
    expect(events[0]?.meta).toHaveProperty('attachments');
    const usage = events.flatMap(({ meta }) => meta?.['usage'] ?? []);
    expect(usage).toHaveLength(3);
    expect(shown(all.get(byName(child)?.id ?? ''))).toEqual([
      'assistant_message 調べて',
      'assistant_message 調べました',
    ]);
    expect(await store.importTranscript(log.path)).toMatchObject({ added: 0 });
    log.close();
  });

  it('has the words of a command that a subagent carries out', async () => {
    const log = new OpencodeLog(join(await newFolder(), 'opencode.db'));
    const one = log.session(HERE);
    const prompt = '変更を見て: a.ts';
    log.ask(one, undefined, { type: 'subtask', prompt, agent: 'general', command: 'review' });
    log.answer(one, { calls: [{ tool: 'task', input: { prompt, command: 'review' } }] });
    const store = await openMemory();
    await store.importTranscript(log.path);
    const [events] = (await allEvents(store)).values();
    expect(shown(events)).toEqual([`user_message ${prompt}`, 'tool_use task']);
    log.close();
  });

  it('has the events of a fork with the session that had them first', async () => {
    const log = new OpencodeLog(join(await newFolder(), 'opencode.db'));
    const one = log.session(HERE);
    log.ask(one, '前の質問');
    log.answer(one, {
      think: '考え',
      say: '前の答え',
      calls: [{ tool: 'bash', input: { command: 'ls' } }],
    });
    const fork = log.fork(one, HERE);
    log.ask(fork, '後の質問');
    const stores = [await openMemory(), await openMemory()];
    const [imported, live] = stores;
    await imported?.importTranscript(log.path);
    // The plugin was set up after the first session.
    const input = {
      hook_event_name: 'Stop',
      session_id: fork,
      transcript_path: log.path,
      cwd: HERE,
    };
    const options = { agent: 'opencode', stateFolder: await newFolder() } as const;
    if (live) await handleHook(live, input, options);
    for (const store of stores) {
      const all = [...(await allEvents(store)).values()].map(shown);
      expect(all.toSorted((a, b) => b.length - a.length)).toEqual([
        ['user_message 前の質問', 'thinking 考え', 'assistant_message 前の答え', 'tool_use bash'],
        ['user_message 後の質問'],
      ]);
    }
    log.close();
  });

  it('is followed while it grows, and gives what an import gives', async () => {
    const folder = await newFolder();
    const log = new OpencodeLog(join(folder, 'opencode.db'));
    const live = await openMemory();
    const imported = await openMemory();
    const one = log.session(HERE);
    const input = { hook_event_name: 'PostToolUse', session_id: one, transcript_path: log.path };
    const options = { agent: 'opencode', stateFolder: join(folder, 'state') } as const;
    const hook = () => handleHook(live, { ...input, cwd: HERE }, options);
    log.ask(one, '一つ目');
    await hook();
    log.answer(one, {
      say: '読む',
      calls: [
        { tool: 'write', input: { filePath: 'a', content: 'あ\n' }, metadata: { exists: false } },
      ],
    });
    await hook();
    log.answer(one, {
      say: '直す',
      calls: [{ tool: 'edit', input: { filePath: 'a', oldString: 'あ', newString: 'い' } }],
    });
    await hook();
    // An unfinished call waits until the session continues without it.
    log.begin(one, '途中', { tool: 'bash', input: { command: 'sleep' } });
    await hook();
    expect(shown([...(await allEvents(live)).values()][0])).not.toContain('assistant_message 途中');
    log.ask(one, '二つ目');
    await hook();
    await imported.importTranscript(log.path, { closed: false });
    const [all, other] = [await allEvents(live), await allEvents(imported)];
    const texts = (events: typeof all) =>
      [...events.values()].map((some) => some.map(({ id, type, data }) => [id, type, data]));
    expect(texts(other)).toEqual(texts(all));
    expect(shown([...all.values()][0])).toContain('assistant_message 途中');
    const edit = [...all.values()][0]?.find(
      ({ type, data }) => type === 'file_edit' && 'action' in data && data.action === 'edit',
    );
    expect(edit?.data).toMatchObject({
      old_content: 'あ\n',
      new_content: 'い\n',
      file_path: `${HERE}/a`,
    });
    log.close();
  });

  it.each([
    ['opencode.db', ['opencode-dev.db']],
    ['opencode-dev.db', []],
    ['opencode-local.db', ['opencode.db', 'opencode-beta.db']],
  ])('is found by hooks under the name of its release channel: %s', async (name, others) => {
    const data = await newFolder();
    for (const other of others) await put(data, `opencode/${other}`, '');
    await put(data, 'opencode/log/a.txt', '');
    const log = new OpencodeLog(join(data, 'opencode', name));
    const one = log.session(HERE);
    log.ask(one, 'やあ');
    const store = await openMemory();
    const input = { hook_event_name: 'Stop', session_id: one, cwd: HERE };
    vi.stubEnv('XDG_DATA_HOME', data);
    vi.stubEnv('OPENCODE_DB', undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    const options = { agent: 'opencode', stateFolder: await newFolder() } as const;
    await handleHook(store, input, options);
    expect(shown(await onlyEvents(store))).toEqual(['user_message やあ']);
    log.close();
  });

  it('has long outputs in files next to it, and pictures as their form', async () => {
    const folder = await newFolder();
    const log = new OpencodeLog(join(folder, 'opencode.db'));
    const whole = `first\n${'line\n'.repeat(1000)}last`;
    await put(folder, 'tool-output/tool_1', whole);
    const one = log.session(HERE);
    log.ask(one, '長い');
    log.answer(one, {
      calls: [
        {
          tool: 'bash',
          input: { command: 'seq' },
          output: '...truncated',
          metadata: { truncated: true, outputPath: '/elsewhere/tool-output/tool_1' },
        },
        {
          tool: 'read',
          input: { filePath: 'p.png' },
          output: 'Image read successfully',
          attachments: [
            {
              type: 'file',
              mime: 'image/png',
              url: `data:image/png;base64,${'iVBORw0KGgo'.repeat(90)}`,
            },
          ],
        },
      ],
    });
    const store = await openMemory();
    await store.importTranscript(log.path);
    const [, long, picture] = [...(await allEvents(store)).values()][0] ?? [];
    expect(long?.data).toMatchObject({ result: { output: whole } });
    expect(JSON.stringify(picture?.data)).toMatch(/image\/png, \d+ bytes/);
    expect(JSON.stringify(picture?.data)).not.toContain('iVBORw0KGgoiVBOR');
    log.close();
  });

  it('is refused with words where it is none, and hides nothing else in a folder', async () => {
    const folder = await newFolder();
    const path = join(folder, 'opencode.db');
    await writeFile(path, 'no database');
    const store = await openMemory();
    await expect(store.importTranscript(path)).rejects.toThrow(/no database of opencode/);
    const line = {
      type: 'user',
      sessionId: 'a',
      uuid: 'u',
      message: { role: 'user', content: 'こんにちは' },
    };
    await put(folder, 'a.jsonl', `${JSON.stringify(line)}\n`);
    const report = await store.importTranscript(folder);
    expect(report).toMatchObject({ added: 1, skippedFiles: [{ file: path }] });
  });
});

describe('an export of opencode', () => {
  it('becomes the same events as the database', async () => {
    const folder = await newFolder();
    const info = {
      id: 'ses_1',
      directory: HERE,
      title: '題',
      version: '1.18.33',
      time: { created: 1, updated: 2 },
    };
    const user = {
      role: 'user',
      id: 'msg_1',
      sessionID: 'ses_1',
      time: { created: 1_763_600_000_000 },
    };
    const text = { id: 'prt_1', type: 'text', text: 'やあ' };
    const path = await put(
      folder,
      'export.json',
      JSON.stringify({ info, messages: [{ info: user, parts: [text] }] }, null, 2),
    );
    const store = await openMemory();
    expect(await store.importTranscript(path)).toMatchObject({ added: 1, unknown: {} });
    const [session] = await store.listSessions();
    expect(session).toMatchObject({ workspace_path: HERE, metadata: { title: '題' } });
  });

  it('is no database of opencode with a view in place of a table, which need not end', async () => {
    const log = new OpencodeLog(join(await newFolder(), 'opencode.db'));
    log.ask(log.session(HERE), 'x');
    log.close();
    const database = new Sqlite(log.path);
    database.exec(`ALTER TABLE part RENAME TO old;
      CREATE VIEW part AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)
        SELECT x AS id, x AS message_id, x AS session_id, x AS time_updated, x AS data FROM c`);
    database.close();
    const store = await openMemory();
    await expect(store.importTranscript(log.path)).rejects.toMatchObject({
      message: expect.stringContaining("neither the tables 'session', 'message' and 'part' nor"),
    });
  });
});

describe('sessions of opencode of 2025', () => {
  /** Source: `Message.Info` and the first migration of `storage.ts` in opencode. */
  const first = (id: string, role: string, parts: readonly JsonObject[]): JsonObject => {
    const time = { created: Number(id.slice(-1)) };
    const assistant = { modelID: 'm', path: { cwd: '/w/oc', root: '/w' }, tokens: { input: 1 } };
    const tool = { c1: { title: 'a', time: { start: 1, end: 2 } }, c2: { error: true } };
    return { id, role, parts, metadata: { sessionID: 'ses_1', time, tool, assistant } };
  };
  const invoked = (toolCallId: string, toolName: string, args: JsonObject): JsonObject => ({
    type: 'tool-invocation',
    toolInvocation: { state: 'result', toolCallId, toolName, args, result: 'said' },
  });
  const started = { id: 'ses_1', version: '0.2.1', title: 'x', time: { created: 1, updated: 2 } };
  const said = [
    { type: 'reasoning', text: 'why' },
    invoked('c1', 'write', { filePath: '/w/oc/a.txt', content: 'x' }),
    invoked('c2', 'bash', { command: 'false' }),
    { type: 'text', text: 'yo' },
  ];

  it.each([
    [
      'with parts in the messages, before 0.3',
      {
        'message/ses_1/msg_1': first('msg_1', 'user', [{ type: 'text', text: 'hi' }]),
        'message/ses_1/msg_2': first('msg_2', 'assistant', said),
      },
      ['user_message', 'thinking', 'code_intention', 'file_edit', 'tool_use', 'assistant_message'],
    ],
    [
      'with parts below the session, before 0.7',
      {
        'message/ses_1/msg_1': { id: 'msg_1', role: 'user', time: { created: 1 } },
        'message/ses_1/msg_2': {
          id: 'msg_2',
          role: 'assistant',
          path: { cwd: '/w/oc' },
          time: { created: 2, completed: 3 },
        },
        'part/ses_1/msg_1/prt_1': { id: 'prt_1', type: 'text', text: 'hi' },
        'part/ses_1/msg_2/prt_2': { id: 'prt_2', type: 'text', text: 'yo' },
      },
      ['user_message', 'assistant_message'],
    ],
  ])('are in a folder of the project: %s', async (_, files, types) => {
    const folder = await newFolder();
    for (const [name, value] of Object.entries({ 'info/ses_1': started, ...files })) {
      const path = `opencode/project/w-oc/storage/session/${name}.json`;
      await put(folder, path, JSON.stringify(value, null, 2));
    }
    const store = await openMemory();
    const report = await store.importTranscript(folder);
    expect(report).toMatchObject({ files: 1, skippedFiles: [], added: types.length, unknown: {} });
    expect(await store.listSessions()).toMatchObject([{ workspace_path: '/w/oc' }]);
    const events = await onlyEvents(store);
    expect(events.map(({ type }) => type)).toEqual(types);
    const failed = events.filter(({ data }) => 'success' in data && !data.success);
    expect(failed).toHaveLength(types.includes('tool_use') ? 1 : 0);
  });
});
