import { describe, expect, it } from 'vitest';
import { ClaudeLog } from '../../support/capture/claude-log.ts';
import {
  allEvents,
  newFolder,
  onlyEvents,
  openMemory,
  put,
} from '../../support/capture/open-memory.ts';

const shape = (events: Awaited<ReturnType<typeof onlyEvents>>) =>
  events.map(({ type, data }) => [
    type,
    'content' in data
      ? data.content
      : 'tool' in data
        ? data.tool
        : 'file_path' in data
          ? data.file_path
          : '',
  ]);

describe('a log of Claude Code', () => {
  it('becomes events: words, thoughts, calls and edits, in the order of the file', async () => {
    const log = new ClaudeLog('order')
      .user('値引きを直して 🛒')
      .thinking('The rate is applied twice.')
      .text('I take the second one out.')
      .call('toolu_1', 'Bash', { command: 'npm test' })
      // The clock went back; the file says what came first.
      .wait(-60_000)
      .result('toolu_1', { stdout: '1 failed', stderr: '', interrupted: false }, '1 failed')
      .call('toolu_2', 'Edit', {
        file_path: '/home/ann/shop/rate.ts',
        old_string: 'a * r * r',
        new_string: 'a * r',
      })
      .result('toolu_2', {
        filePath: '/home/ann/shop/rate.ts',
        oldString: 'a * r * r',
        newString: 'a * r',
        originalFile: 'export const net = (a, r) =>\n\ta * r * r;\n',
        // The shown text has no tabs.
        structuredPatch: [
          {
            oldStart: 1,
            oldLines: 2,
            newStart: 1,
            newLines: 2,
            lines: ['-  a * r * r;', '+  a * r;'],
          },
        ],
        replaceAll: false,
      })
      .text('Done.');
    const store = await openMemory();
    const report = await store.importTranscript(
      await put(await newFolder(), `${log.session}.jsonl`, log.toString()),
    );
    const events = await onlyEvents(store);
    expect(shape(events)).toEqual([
      ['user_message', '値引きを直して 🛒'],
      ['thinking', 'The rate is applied twice.'],
      ['assistant_message', 'I take the second one out.'],
      ['tool_use', 'Bash'],
      ['code_intention', '/home/ann/shop/rate.ts'],
      ['file_edit', '/home/ann/shop/rate.ts'],
      ['assistant_message', 'Done.'],
    ]);
    const [, thought, , bash, intention, edit] = events;
    expect(thought).toMatchObject({ parent_event_id: events[0]?.id });
    expect(bash?.data).toMatchObject({
      parameters: { command: 'npm test' },
      result: { stdout: '1 failed' },
      success: true,
    });
    expect(bash?.data).not.toHaveProperty('duration_ms');
    expect(intention?.data).toMatchObject({ reason: 'I take the second one out.', action: 'edit' });
    expect(edit).toMatchObject({
      parent_event_id: intention?.id,
      data: {
        intention_event_id: intention?.id,
        success: true,
        old_content: 'export const net = (a, r) =>\n\ta * r * r;\n',
        new_content: 'export const net = (a, r) =>\n\ta * r;\n',
      },
    });
    expect(edit?.data).toHaveProperty('diff', expect.stringContaining('+\ta * r;'));
    expect(report).toMatchObject({ added: 7, skipped: 0, openCalls: 0, unknownTexts: 0 });
    const session = await store.getSession(log.session);
    expect(session).toMatchObject({
      workspace_path: '/home/ann/shop',
      started_at: '2026-03-01T09:00:00.000Z',
      metadata: { agent: 'claude-code', branch: 'main', agent_version: '2.0.69' },
    });
  });

  it('counts what a message used once, although each of its lines repeats it', async () => {
    const log = new ClaudeLog('usage').user('hi');
    const used = (output: number) => ({ input_tokens: 10, output_tokens: output });
    const line = (block: { type: string; text?: string; thinking?: string }, output: number) =>
      log.assistant(block, {}, used(output));
    line({ type: 'thinking', thinking: 'a' }, 1);
    const message = JSON.parse(log.lines.at(-1) ?? '').message.id as string;
    line({ type: 'text', text: 'b' }, 8);
    line({ type: 'text', text: 'c' }, 400);
    const text = log.toString().replaceAll(/"id":"msg_\d+"/g, `"id":"${message}"`);
    const store = await openMemory();
    await store.importTranscript(await put(await newFolder(), 'a.jsonl', text));
    const sum = { input: 0, output: 0 };
    for (const { meta } of await onlyEvents(store)) {
      const usage = (meta?.['usage'] ?? {}) as Record<string, number>;
      sum.input += usage['input_tokens'] ?? 0;
      sum.output += usage['output_tokens'] ?? 0;
    }
    expect(sum).toEqual({ input: 10, output: 400 });
  });

  it('keeps lines that it does not know, word for word, and counts them', async () => {
    const odd = { type: 'hologram', payload: { deep: ['日本', 1] }, sessionId: 'x' };
    const log = new ClaudeLog('odd').user('one');
    log.raw({ ...odd, sessionId: log.session });
    log.lines.push('{"type":"assist');
    log.raw({ type: 'system', subtype: 'compact_boundary', sessionId: log.session });
    log.text('two').raw({ type: 'custom-title', customTitle: '税', sessionId: log.session });
    const store = await openMemory();
    const path = await put(await newFolder(), 'a.jsonl', log.toString());
    const report = await store.importTranscript(path);
    expect(report.unknown).toEqual({ hologram: 1, 'no JSON': 1 });
    expect(report.kept).toEqual({ system: 1, 'custom-title': 1 });
    expect(report.broken).toEqual([{ file: path, line: 3, offset: expect.any(Number) }]);
    const [, answer] = await onlyEvents(store);
    expect(answer?.meta).not.toHaveProperty('lines');
    const { events } = await store.events(log.session, { contents: 'all' }).page();
    expect(events[1]?.meta?.['lines']).toEqual([
      { ...odd, sessionId: log.session },
      '{"type":"assist',
    ]);
    const { metadata } = await store.getSession(log.session);
    expect(metadata).toMatchObject({ title: '税' });
    expect(metadata).not.toHaveProperty('trailing_lines');
  });

  it('reads a truncated last line once it is whole, and finds a line after a truncated one', async () => {
    const log = new ClaudeLog('torn').user('one').text('two').text('three');
    const folder = await newFolder();
    const whole = log.toString();
    const cut = whole.indexOf('three') + 2;
    const store = await openMemory();
    const path = await put(folder, 'a.jsonl', whole.slice(0, cut));
    const first = await store.importTranscript(path);
    expect(first).toMatchObject({ added: 2, torn: [{ file: path, line: 3 }], broken: [] });
    await put(folder, 'a.jsonl', whole);
    expect(await store.importTranscript(path)).toMatchObject({ added: 1, skipped: 2, torn: [] });

    // Killed while writing, and resumed: the next line is after the truncated one.
    const again = await openMemory();
    await put(folder, 'b.jsonl', whole.slice(0, cut) + log.lines[2] + '\n');
    const report = await again.importTranscript(`${folder}/b.jsonl`);
    expect(report).toMatchObject({ added: 3, broken: [{ line: 3 }] });
  });

  it('takes thoughts without text, and gives no event for them', async () => {
    const log = new ClaudeLog('empty').user('a').thinking('').text('b');
    const store = await openMemory();
    const report = await store.importTranscript(
      await put(await newFolder(), 'a.jsonl', log.toString()),
    );
    expect(report).toMatchObject({ added: 2, emptyThoughts: 1 });
  });

  it('continues after a compaction from where it was', async () => {
    const log = new ClaudeLog('compact').user('a').text('b');
    const last = JSON.parse(log.lines.at(-1) ?? '').uuid as string;
    const boundary = 'b1c2d3e4-0000-4000-8000-000000000001';
    log.raw({
      type: 'system',
      subtype: 'compact_boundary',
      parentUuid: null,
      logicalParentUuid: last,
      uuid: boundary,
      sessionId: log.session,
      timestamp: '2026-03-01T09:10:00.000Z',
    });
    log.user('Summary: a was asked.', {
      parentUuid: boundary,
      isCompactSummary: true,
      isVisibleInTranscriptOnly: true,
    });
    log.user('c');
    const store = await openMemory();
    await store.importTranscript(await put(await newFolder(), 'a.jsonl', log.toString()));
    const [, b, summary, c] = await onlyEvents(store);
    expect(summary).toMatchObject({
      type: 'assistant_message',
      parent_event_id: b?.id,
      meta: { is_compact_summary: true },
    });
    expect(c).toMatchObject({ type: 'user_message', parent_event_id: summary?.id });
  });

  it('reads subagents in the progress of a call and in files of their own, and each once', async () => {
    const log = new ClaudeLog('sub').user('go');
    const inner = {
      type: 'assistant',
      uuid: 'a1c2d3e4-0000-4000-8000-00000000000a',
      timestamp: '2026-03-01T09:00:30.000Z',
      message: { id: 'm', role: 'assistant', content: [{ type: 'text', text: 'from below' }] },
    };
    log.raw({
      type: 'progress',
      sessionId: log.session,
      uuid: 'a1c2d3e4-0000-4000-8000-00000000000b',
      data: { type: 'agent_progress', agentId: 'agent-7', message: inner },
    });
    log.raw({
      type: 'progress',
      sessionId: log.session,
      data: { type: 'bash_progress', output: 'x' },
    });
    log
      .text('thanks')
      .raw({ type: 'summary', summary: 's', leafUuid: 'x', sessionId: log.session });
    const folder = await newFolder();
    await put(folder, `${log.session}.jsonl`, log.toString());
    const own = { ...inner, isSidechain: true, agentId: 'agent-7', sessionId: log.session };
    await put(folder, `${log.session}/subagents/agent-7.jsonl`, `${JSON.stringify(own)}\n`);
    const store = await openMemory();
    const report = await store.importTranscript(folder);
    expect(report).toMatchObject({
      files: 2,
      added: 3,
      skipped: 1,
      passing: { 'progress:bash_progress': 1 },
    });
    const below = (await onlyEvents(store)).find(({ meta }) => meta?.['agent_id'] === 'agent-7');
    expect(below?.data).toEqual({ content: 'from below' });
  });

  it('adds nothing when it comes again, moved, or as the copy of a fork', async () => {
    const log = new ClaudeLog('again')
      .user('a')
      .text('b')
      .call('toolu_1', 'Bash', { command: 'ls' });
    log.result('toolu_1', { stdout: 'x' });
    const store = await openMemory();
    const folder = await newFolder();
    const path = await put(folder, 'a.jsonl', log.toString());
    await store.importTranscript(path);
    const before = await allEvents(store);
    expect(await store.importTranscript(path)).toMatchObject({ added: 0, skipped: 3 });
    const moved = await put(await newFolder(), 'elsewhere.jsonl', log.toString());
    expect(await store.importTranscript(moved)).toMatchObject({ added: 0, skipped: 3 });
    expect(await allEvents(store)).toEqual(before);
  });

  it('reports the calls that have not returned, and records them when nothing more can come', async () => {
    const log = new ClaudeLog('open').user('a').call('toolu_1', 'Bash', { command: 'sleep 9' });
    const path = await put(await newFolder(), 'a.jsonl', log.toString());
    const store = await openMemory();
    expect(await store.importTranscript(path)).toMatchObject({ added: 1, openCalls: 1 });
    expect(await store.importTranscript(path, { closed: true })).toMatchObject({ added: 1 });
    const [, call] = await onlyEvents(store);
    expect(call).toMatchObject({ data: { tool: 'Bash' }, meta: { no_result: true } });
    expect(await store.getSession(log.session)).toMatchObject({
      ended_at: '2026-03-01T09:00:01.000Z',
    });
  });

  it('repairs halves of characters, and reports what the store refuses', async () => {
    const log = new ClaudeLog('bad')
      .user('half \ud83d of it \0 end')
      .text('x'.repeat(5000))
      .text('y');
    const store = await openMemory({ maxContentBytes: 400 });
    const report = await store.importTranscript(
      await put(await newFolder(), 'a.jsonl', log.toString()),
    );
    expect(report.refused).toMatchObject([{ type: 'assistant_message', code: 'too-large' }]);
    const events = await onlyEvents(store);
    expect(events.map(({ data }) => data)).toEqual([
      { content: 'half \ufffd of it \0 end' },
      { content: 'y' },
    ]);
  });

  it('stops when it is aborted, and continues when it is called again', async () => {
    // Less than what a thread is started for.
    const log = new ClaudeLog('stop');
    for (let turn = 0; turn < 900; turn++) log.user(`turn ${turn}`).text('x'.repeat(1000));
    const path = await put(await newFolder(), 'a.jsonl', log.toString());
    const store = await openMemory();
    const controller = new AbortController();
    const importing = store.importTranscript(path, {
      signal: controller.signal,
      onProgress: ({ events }) => events > 0 && controller.abort(new Error('enough')),
    });
    await expect(importing).rejects.toThrow('enough');
    const { event_count: before } = await store.getSession(log.session);
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(1800);
    expect(await store.importTranscript(path)).toMatchObject({ added: 1800 - before });
    const events = await onlyEvents(store);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_event, at) => at + 1));
  });
});
