import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createTokenEstimator } from '@vizprompt/providers';
import { describe, expect, it } from 'vitest';
import { sessionIdOf } from '../../../src/capture/keys.ts';
import {
  handleHook,
  HOOK_AGENTS,
  installHooks,
  uninstallHooks,
  type HookAgent,
} from '../../../src/hooks/index.ts';
import { allEvents, newFolder, openMemory, put } from '../../support/capture/open-memory.ts';
import { codexLog, copilotLog, geminiLog } from '../../support/capture/other-logs.ts';

const LOGS: readonly (readonly [agent: HookAgent, log: string])[] = [
  ['codex', codexLog],
  ['gemini', geminiLog],
  ['copilot', copilotLog],
];

describe('the hooks of another agent', () => {
  it.each(LOGS)('of %s record what an import finds, whenever they come', async (agent, log) => {
    const live = await openMemory();
    const imported = await openMemory();
    const folder = await newFolder();
    const lines = log.trimEnd().split('\n');
    const options = { agent, stateFolder: join(folder, 'state'), logFile: join(folder, 'log') };
    const name = 'session.jsonl';
    for (let count = 0; count <= lines.length; count += 3) {
      const some = lines.slice(0, Math.min(count, lines.length));
      const path = await put(folder, name, some.map((line) => `${line}\n`).join(''));
      const input = { hook_event_name: 'PostToolUse', session_id: 's', transcript_path: path };
      await handleHook(live, { ...input, cwd: folder }, options);
    }
    const path = await put(folder, name, log);
    const end = { hook_event_name: 'Stop', session_id: 's', transcript_path: path, cwd: folder };
    await handleHook(live, end, options);
    expect(await stat(join(folder, 'log')).catch(() => undefined)).toBeUndefined();
    const report = await imported.importTranscript(path);
    expect(report.added).toBeGreaterThan(5);
    const shown = async (store: typeof live) =>
      [...(await allEvents(store))].map(([id, events]) => [
        id,
        events.map((event) => [event.id, event.type, event.data]),
      ]);
    expect(await shown(live)).toEqual(await shown(imported));
    expect(await live.importTranscript(path)).toMatchObject({ added: 0 });
  });

  it('of Gemini CLI record its subagents when it has answered', async () => {
    const store = await openMemory();
    const folder = await newFolder();
    const [id, child] = [
      '4ca4acab-653d-40e6-9b77-b31ce505d304',
      '4604570b-e2bf-40c6-982c-8c23d7cced18',
    ];
    const head = { projectHash: 'x', startTime: '2026-11-01T00:00:00Z' };
    const said = (text: string) => ({ id: text, type: 'gemini', content: text });
    const lines = (...values: readonly object[]) =>
      values.map((value) => `${JSON.stringify(value)}\n`).join('');
    await put(
      folder,
      `chats/${id}/${child}.jsonl`,
      lines({ ...head, sessionId: child, kind: 'subagent' }, said('three')),
    );
    const path = await put(
      folder,
      'chats/session-1.jsonl',
      lines({ ...head, sessionId: id }, said('done')),
    );
    const input = { session_id: id, transcript_path: path, cwd: folder };
    const options = { agent: 'gemini', stateFolder: join(folder, 'state') } as const;
    await handleHook(store, { ...input, hook_event_name: 'AfterTool' }, options);
    expect((await allEvents(store)).size).toBe(1);
    await handleHook(store, { ...input, hook_event_name: 'AfterAgent' }, options);
    const session = await store.getSession(child);
    expect(session).toMatchObject({ event_count: 1, metadata: { parent_session: id } });
    expect(await store.importTranscript(folder)).toMatchObject({ added: 0 });
  });

  it('inject past sessions in their order, with a heading, and nothing when one is resumed', async () => {
    const store = await openMemory();
    const folder = await newFolder();
    for (const [id, said, day] of [
      ['old', 'まず設計した', 1],
      ['new', '次に実装した', 2],
    ] as const) {
      const session = sessionIdOf('claude-code', id);
      await store.startSession({ id: session, workspace: folder });
      const timestamp = `2026-11-0${day}T00:00:00Z`;
      await store.log(session, 'user_message', { content: said }, { timestamp });
    }
    const ask = async (agent: HookAgent, source: string, session_id = 'other') => {
      const input = { hook_event_name: 'SessionStart', session_id, source, cwd: folder };
      const options = { agent, stateFolder: join(folder, 'state') };
      return (await handleHook(store, input, options)).stdout;
    };
    for (const agent of HOOK_AGENTS) {
      for (const source of ['startup', 'clear', 'compact']) {
        const text = await ask(agent, source);
        expect(text).toContain('It is data');
        expect(text).toContain('ptta search');
        expect(text.indexOf('設計')).toBeGreaterThan(0);
        expect(text.indexOf('設計')).toBeLessThan(text.indexOf('実装'));
      }
      for (const source of ['resume', 'fork']) expect(await ask(agent, source)).toBe('');
    }
    // Work of other sessions since the end of a conversation is new when it resumes.
    const resumed = await ask('claude-code', 'resume', 'old');
    expect(resumed).toContain('実装');
    expect(resumed).not.toContain('設計');
    expect(await ask('claude-code', 'resume', 'new')).toBe('');
    expect(JSON.parse(await ask('gemini', 'startup'))).toMatchObject({
      hookSpecificOutput: { additionalContext: expect.stringContaining('設計') },
    });
  });

  it('inject no more than the budget, nothing of the session and its subagents, and no JSON', async () => {
    const store = await openMemory();
    const folder = await newFolder();
    const id = sessionIdOf('codex', 'run');
    await store.startSession({ id, workspace: folder });
    await store.startSession({
      id: 'child',
      workspace: folder,
      metadata: { agent: 'codex', parent_session: 'run' },
    });
    for (const one of [id, 'child']) {
      await store.log(one, 'assistant_message', { content: '自分の話' });
    }
    await store.startSession({ id: 'past', workspace: folder });
    const result = { output: '三件', usage: { speed: 'standard', tokens: 9 }, agentId: 'a1b2' };
    for (let at = 0; at < 40; at++) {
      await store.log('past', 'tool_use', { tool: `t${at}`, parameters: { n: at }, result });
      await store.log('past', 'user_message', {
        content: `過去の質問 ${at} `.repeat(at % 9) + '。',
      });
    }
    const estimator = createTokenEstimator();
    const shown: boolean[] = [];
    for (const budgetTokens of [1, 60, 120, 200, 400, 1000, 3000]) {
      const text = await handleHook(
        store,
        { hook_event_name: 'SessionStart', session_id: 'run', source: 'compact', cwd: folder },
        { agent: 'codex', budgetTokens, stateFolder: join(folder, 'state') },
      );
      expect(estimator.count(text.stdout).tokens).toBeLessThanOrEqual(budgetTokens);
      expect(text.stdout).not.toMatch(/自分の話|standard|a1b2|[{}]|"output"/);
      shown.push(text.stdout.includes('三件'));
    }
    expect(shown.slice(4)).toEqual([true, true, true]);
  });

  it.each(HOOK_AGENTS.filter((agent) => agent !== 'opencode'))(
    'of %s are set up next to those of others, and undone to the byte',
    async (agent) => {
      const folder = await newFolder();
      const command = `ptta hook --agent ${agent}`;
      const flat = agent === 'copilot';
      const own = flat
        ? '{ "type": "command", "bash": "say" }'
        : '{ "hooks": [{ "type": "command", "command": "say" }] }';
      const before = `{\n  // mine\n  "version": 1,\n  "hooks": { "SessionStart": [ ${own} ] },\n}\n`;
      const settingsFile = await put(folder, 'hooks.json', before);
      const options = { agent, command, settingsFile };
      const planned = await installHooks({ ...options, dryRun: true });
      expect(await readFile(settingsFile, 'utf8')).toBe(before);
      const report = await installHooks(options);
      expect(report).toEqual(planned);
      const text = await readFile(settingsFile, 'utf8');
      expect(text.split(command).length - 1).toBe(report.hooks.length);
      expect(text).toContain('// mine');
      expect((await installHooks(options)).hooks).toEqual([]);
      expect((await uninstallHooks({ ...options, dryRun: true })).hooks).toHaveLength(
        report.hooks.length,
      );
      expect(await readFile(settingsFile, 'utf8')).toBe(text);
      await uninstallHooks(options);
      expect(await readFile(settingsFile, 'utf8')).toBe(before);
      // If there was no file before, none remains.
      const made = join(folder, 'new', 'hooks.json');
      await installHooks({ ...options, settingsFile: made });
      expect(JSON.parse(await readFile(made, 'utf8'))).toHaveProperty('hooks.SessionStart');
      await uninstallHooks({ ...options, settingsFile: made });
      expect(await stat(made).catch(() => undefined)).toBeUndefined();
    },
  );
});
