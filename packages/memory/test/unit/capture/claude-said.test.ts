import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { objectOf, parseJson } from '@vizprompt/providers/internal';
import { describe, expect, it } from 'vitest';
import { ClaudeLog } from '../../support/capture/claude-log.ts';
import { newFolder, onlyEvents, openMemory, put } from '../../support/capture/open-memory.ts';

function parsed(line: string): { [name: string]: JsonValue } {
  return { ...objectOf(parseJson(line)) };
}

/** Imports a log of Claude Code, and returns who says what in it. */
async function shown(text: string): Promise<readonly string[]> {
  const store = await openMemory();
  const path = await put(await newFolder(), 'session.jsonl', text);
  await store.importTranscript(path, { closed: true });
  return (await onlyEvents(store)).map(({ type, data }) =>
    'content' in data ? `${type}: ${data.content}` : type,
  );
}

describe('logs of Claude Code', () => {
  it('have what other agents of a team say, and not what their programs report', async () => {
    const told = (text: string): string =>
      `<teammate-message teammate_id="lead" summary="s">\n${text}\n</teammate-message>`;
    const another = 'Another Claude session sent a message:\n';
    const idle = told('{"type":"idle_notification","from":"x"}');
    const quoted = `${told('x')}\nwhat does this mean?`;
    const log = new ClaudeLog('team').user(told('count')).user(idle).user(`${another}${idle}`);
    log.user([{ type: 'text', text: `${another}${idle}\n${told('found')}` }]).user(quoted);
    log.user('<cross-session-message from="y">done</cross-session-message>');
    expect(await shown(log.toString())).toEqual([
      'assistant_message: count',
      'assistant_message: found',
      `user_message: ${quoted}`,
      'assistant_message: done',
    ]);
  });

  it.each([
    ['', '\n\nThis came from another Claude session — not typed by your user, but for them.'],
    ['Another Claude session sent a message:\n', ''],
    [
      'Another Claude session sent a message:\n',
      '\n\nThis came from another Claude session — not typed by your user.',
    ],
    [
      'Another Claude session sent a message while you were working:\n',
      '\n\nThat "other Claude session" is an agent working inside this same session.',
    ],
    ['Another Claude session sent a message:\n', '\n\nIMPORTANT: This is NOT from your user.'],
  ])('have messages without what the program writes around them: %j %j', async (before, after) => {
    const idle = '{"type":"idle_notification","from":"x"}';
    const log = new ClaudeLog('frame');
    for (const tag of ['agent-message', 'cross-session-message', 'teammate-message']) {
      log.user(`${before}<${tag} from="a" summary="1 > 0">\nfound\n</${tag}>${after}`);
      log.user(`${before}<${tag} from="a">\n${idle}\n</${tag}>${after}`);
    }
    expect(await shown(log.toString())).toEqual(Array(3).fill('assistant_message: found'));
  });

  it('have messages that quote their own tag, follow each other, or were cut', async () => {
    const heading = 'Another Claude session sent a message:\n';
    const trailer = '\n\nThis came from another Claude session — not typed by your user.';
    const told = (text: string): string => `<agent-message from="a">${text}</agent-message>`;
    const log = new ClaudeLog('odd').user(`${heading}${told('a</agent-message> b')}${trailer}`);
    log.user(`${heading}${told('c')}${trailer}\n\n${heading}${told('d')}${trailer}`);
    log.user('<teammate-message teammate_id="a">e');
    log.user(told('{"type":"task"} please')).user(told('{"type":"finding","n":1}'));
    log.user(`${heading}what is that?`);
    expect(await shown(log.toString())).toEqual([
      'assistant_message: a\n\nb',
      'assistant_message: c\n\nd',
      'assistant_message: e',
      'assistant_message: {"type":"task"} please',
      'assistant_message: {"type":"finding","n":1}',
      `user_message: ${heading}what is that?`,
    ]);
  });

  it('have messages without a heading that quote their own tag', async () => {
    const inner = '<teammate-message x="1">in</teammate-message>';
    const log = new ClaudeLog('quote');
    log.user(`<teammate-message teammate_id="x">see ${inner} it</teammate-message>`);
    log.user(`<agent-message from="a">x</agent-message> or ${inner}?`);
    expect(await shown(log.toString())).toEqual([
      'assistant_message: see <teammate-message x="1">in\n\nit',
      `user_message: <agent-message from="a">x</agent-message> or ${inner}?`,
    ]);
  });

  it('have commands that the user ran in a shell as they were typed', async () => {
    const log = new ClaudeLog('shell').user('<bash-input>git status</bash-input>');
    log.user('<bash-stdout>clean</bash-stdout><bash-stderr></bash-stderr>');
    expect(await shown(log.toString())).toEqual(['user_message: ! git status']);
  });

  it.each([
    '<system-reminder> is what?',
    '<task-notification> handling is broken',
    '<tick> what is it',
    '<local-command-stdout> shows nothing',
    '<teammate-message> is shown twice',
    '<agent-message class="x">\n<p>a</p>\nfix the CSS of this unclosed tag please',
    '<agent-message from="a"/> how do I render it?',
    '<cross-session-message from="a" /> how do I render it?',
    '<teammate-message id="x"> what does this do?',
    '<bash-input> is odd',
  ])('have words of the user that begin with a tag: %s', async (text) => {
    expect(await shown(new ClaudeLog('tag').user(text).toString())).toEqual([
      `user_message: ${text}`,
    ]);
  });

  it.each([
    '<local-command-stdout></local-command-stdout>',
    '<tick>12:00</tick>',
    '<system-reminder>\nnot closed',
    '<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>',
  ])('have no words of the user in %j', async (text) => {
    const log = new ClaudeLog('note').user(text).user('yes');
    expect(await shown(log.toString())).toEqual(['user_message: yes']);
  });

  /** By kind of origin: who speaks. Source: the schema of origins in version 2.1.332. */
  const ORIGINS: readonly (readonly [origin: JsonObject, type: string | undefined])[] = [
    [{ kind: 'human' }, 'user_message'],
    [{ kind: 'channel', server: 'plugin:telegram:telegram' }, 'user_message'],
    [{ kind: 'slack-ping' }, 'user_message'],
    [{ kind: 'task-notification', subkind: 'scheduled-trigger' }, 'user_message'],
    [{ kind: 'plugin', name: 'p', asUser: true }, 'user_message'],
    [{ kind: 'peer', from: 'a' }, 'assistant_message'],
    [{ kind: 'coordinator' }, 'assistant_message'],
    [{ kind: 'observer', from: 'o', senderTaskId: 't' }, 'assistant_message'],
    [{ kind: 'task-notification', subkind: 'peer-send-message' }, 'assistant_message'],
    [{ kind: 'task-notification', subkind: 'projects-relay' }, 'assistant_message'],
    [{ kind: 'task-notification', subkind: 'external-event' }, undefined],
    [{ kind: 'task-notification', subkind: 'of-tomorrow' }, undefined],
    [{ kind: 'task-notification' }, undefined],
    [{ kind: 'plugin', name: 'p' }, undefined],
    [{ kind: 'auto-continuation' }, undefined],
    [{ kind: 'observer-activity' }, undefined],
  ];

  it.each(ORIGINS)('have what is said by the one who says it: %j', async (origin, type) => {
    // The log marks what no keyboard sent as the program's own.
    const isMeta = origin['kind'] !== 'human';
    const attachment = { type: 'queued_command', prompt: 'queued', origin, isMeta };
    const log = new ClaudeLog('origin').user('hi').user('sent', { origin, isMeta });
    log.raw({ type: 'attachment', uuid: 'q', sessionId: log.session, attachment });
    const said = type === undefined ? [] : [`${type}: sent`, `${type}: queued`];
    expect(await shown(log.toString())).toEqual(['user_message: hi', ...said]);
  });

  /** Source: the plugins for Telegram, Discord and iMessage, and the reference of channels. */
  it.each([
    ['<channel source="sms" chat_id="1" user="ann">\nfix it\n</channel>', 'ann'],
    ['<channel source="plugin:telegram:telegram" user="a>b" ts="2026">a</channel>', 'a>b'],
    ['<channel source="x" user="c">a</channel>\n<channel source="x" user="c">b</channel>', 'c'],
    ['<channel source="chat" sender="dan" sender_id="7">fix</channel>\n', 'dan'],
    [
      '<channel source="x" user="c">a</channel>\n<channel source="x" user="d">b</channel>',
      undefined,
    ],
    ['<channel source="x" user="c">a</channel>\n<channel source="ci">b</channel>', undefined],
    ['<channel source="ci" severity="high">build failed</channel>', undefined],
    ['<channel source="x" user="ann">fix it</channel> is what she wrote', undefined],
    [
      '<channel source="x" user="c">a</channel>\nand I say\n<channel source="x" user="c">b</channel>',
      undefined,
    ],
    ['<channel source="x" user="D&apos;Arcy &amp; Co">a</channel>', "D'Arcy & Co"],
    ['<channel> is a tag of which library?', undefined],
  ])('have the words of a chat with the name of who wrote them: %j', async (text, speaker) => {
    const log = new ClaudeLog('chat').user(text, { isMeta: true, origin: { kind: 'channel' } });
    const store = await openMemory();
    const path = await put(await newFolder(), 'session.jsonl', log.toString());
    await store.importTranscript(path, { closed: true });
    const [event] = await onlyEvents(store);
    expect(event).toMatchObject({ type: 'user_message', data: { content: text } });
    expect(event?.meta?.['speaker']).toBe(speaker);
    if (speaker === undefined) return;
    await store.eraseSpeaker({ speaker });
    expect(await onlyEvents(store)).toMatchObject([{ type: 'forgotten', data: {} }]);
  });

  const refused =
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).";
  const note =
    "\n\nNote: The user's next message may contain a correction or preference. Pay close attention.";

  /** Source: the binary of version 2.1.332. */
  it.each([
    [
      `${refused} To tell you how to proceed, the user said:\n青で塗って\nand twice`,
      '青で塗って\nand twice',
    ],
    [`${refused} To tell you how to proceed, the user said:\nuse blue${note}`, 'use blue'],
    [
      'Permission for this tool use was denied. The tool use was rejected. The user said:\nnot now',
      undefined,
    ],
    [
      `${refused} STOP what you are doing and wait for the user to tell you how to proceed.`,
      undefined,
    ],
    [
      `${refused} To tell you how to proceed, the user said:\nThe user wants to clarify these questions.\n- a`,
      undefined,
    ],
    ['Exit code 1\nthe user said:\nx', undefined],
    [`grep: ${refused} To tell you how to proceed, the user said:\nuse blue`, undefined],
  ])('have the words of a user who refuses a call: %j', async (text, words) => {
    const said = words === undefined ? [] : [`user_message: ${words}`];
    for (const content of [text, [{ type: 'text', text }]]) {
      const log = new ClaudeLog('refuse').user('paint').call('t1', 'Bash', { command: 'paint' });
      log.result('t1', 'User rejected tool use', content, true).text('ok');
      expect(await shown(log.toString())).toEqual([
        'user_message: paint',
        'tool_use',
        ...said,
        'assistant_message: ok',
      ]);
    }
    const of = { isSidechain: true, agentId: 'a1' };
    const block = { type: 'tool_result', tool_use_id: 't1', content: text, is_error: true };
    const child = new ClaudeLog('child').call('t1', 'Bash', { command: 'x' }, of).user([block], of);
    expect(await shown(child.toString())).toEqual(['tool_use']);
    const log = new ClaudeLog('fine').call('t1', 'Read', { file_path: '/a' });
    expect(await shown(log.result('t1', 'x', text).toString())).toEqual(['tool_use']);
  });

  it('have what the program adds itself as no words of anyone', async () => {
    const log = new ClaudeLog('meta').user('added', { isMeta: true }).user('yes');
    const attachment = { type: 'queued_command', prompt: 'added', isMeta: true };
    log.raw({ type: 'attachment', uuid: 'q', sessionId: log.session, attachment });
    expect(await shown(log.toString())).toEqual(['user_message: yes']);
  });

  it('have a prompt once that is stored again when its files are saved', async () => {
    const uuid = 'bbbbbbbb-1111-4111-8111-111111111111';
    const log = new ClaudeLog('again').user('see the picture', { uuid }).text('ok');
    log.user('see the picture', { sentAsUuid: uuid }).user('see the picture');
    expect(await shown(log.toString())).toEqual([
      'user_message: see the picture',
      'assistant_message: ok',
      'user_message: see the picture',
    ]);
  });

  it.each(['agent_progress', 'skill_progress'])('have what is said in %s', async (type) => {
    const log = new ClaudeLog('progress').user('go');
    const inner = new ClaudeLog('inner').text('I count.').lines.map((line) => JSON.parse(line));
    const data = { type, agentId: 'a1', message: inner[0] };
    log.raw({ type: 'progress', uuid: 'p', sessionId: log.session, data });
    log.raw({ type: 'progress', uuid: 'r', sessionId: log.session, data: { type, agentId: 'a1' } });
    expect(await shown(log.toString())).toEqual([
      'user_message: go',
      'assistant_message: I count.',
    ]);
  });

  /** All lines that version 2.1.332 writes besides those of the conversation, and all kinds of progress. */
  const LINES =
    'agent-color agent-name agent-setting ai-title api-request api-request-blob api-request-resumed api-request-shape artifact-autoreact-ledger artifact-comment-monitor atis-latch attribution-snapshot bridge-session content-replacement continued-in cost-state custom-title data-flow-incomplete data-flow-records derived-from dev-mods ended-by-model file-history-delta file-history-snapshot fork-context-ref frame-link history-suppression host-row hybrid-organization isolation-latch last-prompt memory-mode mode observer-ref permission-mode pr-link queue-operation relocated repl-mode resume-head-vouch session-owner summary system tag tools-used worktree-state';
  const PROGRESS =
    'agent_api_retry artifact_publish_retry bash_progress connector_file_progress hook_progress mcp_progress powershell_progress query_update repl_tool_call search_results_received search_retry tool_heartbeat workflow_agent workflow_log workflow_phase';

  it('have known lines that are no events, and keep nothing of them', async () => {
    const log = new ClaudeLog('known').user('a');
    log.assistant({ type: 'fallback', from: { model: 'x' }, to: { model: 'y' } });
    for (const type of LINES.split(' ')) log.raw({ type, sessionId: log.session });
    for (const type of PROGRESS.split(' '))
      log.raw({ type: 'progress', uuid: type, sessionId: log.session, data: { type } });
    const path = await put(await newFolder(), 'session.jsonl', log.toString());
    const report = await (await openMemory()).importTranscript(path, { closed: true });
    expect(report).toMatchObject({ events: { user_message: 1 }, unknown: {} });
    expect(await shown(log.toString())).toEqual(['user_message: a']);
  });

  it('have their own facts where a line has those of a stream, too', async () => {
    const of = { isSidechain: true, agentId: 'a1', session_id: 'other', claude_code_version: '9' };
    const log = new ClaudeLog('both').user('hi').user('count them', of);
    expect(await shown(log.toString())).toEqual([
      'user_message: hi',
      'assistant_message: count them',
    ]);
  });

  it('are one with the streams that the program prints, in either order', async () => {
    const path = '/home/ann/shop/a.txt';
    const log = new ClaudeLog('stream').user('write it').thinking('how?').text('I write.');
    log.call('t1', 'Write', { file_path: path, content: 'one\n' });
    log.result('t1', { type: 'create', filePath: path, content: 'one\n', originalFile: null });
    const of = { isSidechain: true, agentId: 'a1' };
    log.user('count them', of).call('t2', 'Bash', { command: 'ls' }, of).text('done');
    // Source: version 2.1.332; prompts of the user are not printed.
    const printed = log.lines.slice(1).map((text) => {
      const { sessionId, isSidechain, agentId, toolUseResult, ...line } = parsed(text);
      for (const name of ['parentUuid', 'cwd', 'version', 'gitBranch', 'requestId'])
        delete line[name];
      const parent_tool_use_id = isSidechain === true ? 'toolu_1' : null;
      const ids = { session_id: sessionId, agent_id: agentId, parent_tool_use_id };
      return JSON.stringify({ ...line, ...ids, tool_use_result: toolUseResult });
    });
    const facts = { session_id: log.session, uuid: 'aaaaaaaa-0000-4000-8000-000000000017' };
    const init = { type: 'system', subtype: 'init', cwd: log.cwd, claude_code_version: '2.1.332' };
    const head = JSON.stringify({ ...init, ...facts });
    const delta = { type: 'stream_event', event: { type: 'message_stop' }, ...facts };
    const end = { type: 'result', subtype: 'success', result: 'done', ...facts };
    const lines = [head, JSON.stringify(delta), ...printed, JSON.stringify(end)];
    const folder = await newFolder();
    const files = [
      await put(folder, 'printed.jsonl', `${lines.join('\n')}\n`),
      // As actions in a workflow store it.
      await put(folder, 'printed.json', `[${lines.join(',')}]`),
      await put(folder, 'session.jsonl', log.toString()),
    ];
    const all = [
      'user_message',
      'thinking',
      'assistant_message',
      'code_intention',
      'file_edit',
      'assistant_message',
      'assistant_message',
    ];
    for (const [order, added] of [
      [files, [7, 0, 1]],
      [files.toReversed(), [8, 0, 0]],
    ] as const) {
      const store = await openMemory();
      for (const [at, file] of order.entries()) {
        const report = await store.importTranscript(file, { closed: true });
        expect(report).toMatchObject({ added: added[at], unknown: {}, refused: [] });
      }
      const events = await onlyEvents(store);
      expect(events.map(({ type }) => type).toSorted()).toEqual([...all, 'tool_use'].toSorted());
      const edit = events.find(({ type }) => type === 'file_edit');
      expect(edit?.data).toMatchObject({ action: 'create', new_content: 'one\n' });
      expect(await store.listSessions()).toMatchObject([{ workspace_path: log.cwd }]);
    }
  });

  it.each([
    ['of Claude Code', { uuid: 'aaaaaaaa-0000-4000-8000-000000000015' }, 'claude_code_version'],
    ['of Qwen Code', { uuid: 'aaaaaaaa-0000-4000-8000-000000000016' }, 'qwen_code_version'],
    ['of Amp', {}, 'version'],
  ])('are no streams %s, which have no times and not the prompt', async (_, ids, version) => {
    const facts = { session_id: 'T-1', parent_tool_use_id: null, ...ids };
    const content = [{ type: 'text', text: 'hi' }];
    const lines = [
      { type: 'system', subtype: 'init', cwd: '/w', tools: [], [version]: '1.0.0', ...facts },
      { type: 'assistant', message: { role: 'assistant', content }, ...facts },
      { type: 'result', subtype: 'success', result: 'hi', ...facts },
    ];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const path = await put(await newFolder(), 'printed.jsonl', text);
    expect(await (await openMemory()).importTranscript(path)).toMatchObject({
      added: 0,
      skippedFiles: [{ file: path }],
    });
  });
});
