import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openProject, testProject } from '../support/open-project.ts';
import {
  attributesOf,
  first,
  importedFrom,
  listed,
  said,
  second,
  span,
  third,
  traces,
} from '../support/spans.ts';

describe('spans of OpenTelemetry', () => {
  it('are one conversation for each trace, whose calls repeat what was said before', async () => {
    const spans = [
      span('a', 2, second),
      span('a', 1, first),
      span('b', 1, first),
      span('a', 3, third),
    ];
    const flows = await importedFrom(traces(...spans));
    expect(flows).toEqual([['one? / one.', 'one? / one again.'], ['one? / ']]);
  });

  it('are one conversation under one id of it, and hold instructions, calls and results', async () => {
    const more = {
      'gen_ai.conversation.id': 'x',
      'gen_ai.system_instructions': JSON.stringify([{ type: 'text', content: 'be brief' }]),
    };
    const vizprompt = await openProject();
    const source = traces(span('a', 1, { ...first, more }), span('b', 2, { ...second, more }));
    const { warnings } = await vizprompt.importConversations(source);
    expect(warnings).toEqual([]);
    const [flow] = await vizprompt.listFlows();
    const { nodes } = await vizprompt.getFlow(flow?.id ?? '');
    expect(nodes).toHaveLength(1);
    const node = await vizprompt.getNode(nodes[0]?.id ?? '');
    expect(node).toMatchObject({ model: 'm', timestamp: '2023-11-14T22:13:21.000000Z' });
    expect(JSON.stringify(node)).toMatch(/be brief.*look.*rain/s);
  });

  it.each([
    [
      'as an exporter for the console writes one',
      {
        name: 'chat m',
        context: { trace_id: 't' },
        start_time: '2026-05-01T10:00:00Z',
        attributes: attributesOf(second),
      },
    ],
    [
      'with the messages in an event',
      {
        name: 'chat m',
        traceId: 't',
        attributes: [],
        events: [
          { name: 'gen_ai.client.inference.operation.details', attributes: attributesOf(second) },
        ],
      },
    ],
    [
      'as records of logs',
      {
        resourceLogs: [
          {
            scopeLogs: [
              {
                logRecords: [
                  { timeUnixNano: '1700000001000000000', attributes: listed(attributesOf(second)) },
                ],
              },
            ],
          },
        ],
      },
    ],
  ])('are read %s', async (_, source) => {
    expect(await importedFrom(source)).toEqual([['one? / one.']]);
  });

  it('are read from the lines of a collector', async () => {
    const { vizprompt, folder } = await testProject();
    const path = join(folder, 'traces.jsonl');
    const lines = [traces(span('a', 1, first)), traces(span('a', 2, second))];
    await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const { flows, nodes } = await vizprompt.importConversations(path);
    expect([flows.length, nodes.total]).toEqual([1, 1]);
  });

  it('are no conversation without messages', async () => {
    const source = traces({ traceId: 'a', attributes: listed({ 'http.method': 'GET' }) });
    await expect(importedFrom(source)).rejects.toMatchObject({
      code: 'import-unreadable',
      message: expect.stringContaining('resourceSpans'),
    });
  });

  describe('whose input is not all that was said before', () => {
    const under = { more: { 'gen_ai.conversation.id': 'c' } };
    const turn = (at: number, asked: object[], answer: string): object =>
      span('a', at, { input: asked, output: [said('assistant', answer)], ...under });

    it('hold each question, also one that was asked before', async () => {
      const flows = await importedFrom(
        traces(
          turn(1, [said('user', 'plan')], 'part 1'),
          turn(2, [said('user', 'continue')], 'part 2'),
          turn(3, [said('user', 'continue')], 'part 3'),
        ),
      );
      expect(flows).toEqual([['plan / part 1', 'continue / part 2', 'continue / part 3']]);
    });

    it('hold the last question of a window, and one whose answer was made again', async () => {
      const [go, two, three] = [
        said('user', 'continue'),
        said('assistant', '2'),
        said('assistant', '3'),
      ];
      const flows = await importedFrom(
        traces(
          turn(1, [said('user', 'plan')], '1'),
          turn(2, [said('user', 'plan'), said('assistant', '1'), go], '2'),
          turn(3, [said('assistant', '1'), go, two, go], '3'),
          turn(4, [go, two, go, three, go], '4'),
          turn(5, [said('user', 'in short'), go, three, go], '5'),
        ),
      );
      expect(flows).toEqual([
        ['plan / 1', 'continue / 2', 'continue / 3', 'continue / 4', 'in short / ', 'continue / 5'],
      ]);
    });

    it('hold a question once whose call was tried again, or whose answers are not recorded', async () => {
      const asked = [said('user', 'a?'), said('assistant', 'a.'), said('user', 'b?')];
      const flows = await importedFrom(
        traces(
          span('a', 1, { input: asked.slice(0, 1), output: [], ...under }),
          span('a', 2, { input: asked, output: [], ...under }),
          span('a', 3, { input: asked, output: [said('assistant', 'b.')], ...under }),
        ),
      );
      expect(flows).toEqual([['a? / a.', 'b? / b.']]);
    });

    it('are each of its own, without a trace and an id of a conversation', async () => {
      const answers = ['one', 'two', 'three'];
      const flows = await importedFrom(
        answers.map((each) => ({
          attributes: attributesOf({
            input: [said('user', 'Q?')],
            output: [said('assistant', each)],
          }),
        })),
      );
      expect(flows.flat().toSorted()).toEqual(['Q? / one', 'Q? / three', 'Q? / two']);
      expect(flows).toHaveLength(3);
    });
  });

  it('of an agent do not say again what the calls in it say', async () => {
    const agent = {
      ...span('a', 0, { input: second.input.slice(0, 1), output: [said('assistant', 'one.')] }),
      spanId: 'agent',
    };
    const [one, two] = [span('a', 1, first), span('a', 2, second)];
    const within = [
      { ...one, spanId: '1', parentSpanId: 'tool' },
      { spanId: 'tool', traceId: 'a', parentSpanId: 'agent', name: 'step' },
      { ...two, spanId: '2', parentSpanId: 'agent' },
    ];
    expect(await importedFrom(traces(agent, ...within))).toEqual([['one? / one.']]);
    const alone = { ...agent, spanId: 'other', parentSpanId: 'agent' };
    expect(await importedFrom(traces(alone))).toEqual([['one? / one.']]);
    const more = { 'gen_ai.operation.name': 'invoke_agent' };
    const logged = span('a', 0, {
      input: second.input.slice(0, 1),
      output: [said('assistant', 'one.')],
      more,
    });
    expect(await importedFrom(traces(logged, one, two))).toEqual([['one? / one.']]);
  });

  it('of an agent are read where those of the calls in it are not all of it', async () => {
    const agent = { ...span('a', 1, second), spanId: 'agent' };
    const inner = { input: [said('user', 'inner?')], output: [said('assistant', 'inner.')] };
    const within = { ...span('a', 2, inner), spanId: '1', parentSpanId: 'agent' };
    expect(await importedFrom(traces(agent, within))).toEqual([['one? / one.', 'inner? / inner.']]);
  });

  it('are read where their parents go round in a circle', async () => {
    const [one, two] = ['1', '2'].map((spanId, at) => ({
      ...span('a', at, second),
      spanId,
      parentSpanId: spanId === '1' ? '2' : '1',
    }));
    expect(await importedFrom(traces(one ?? {}, two ?? {}))).toEqual([['one? / one.\n\none.']]);
  });

  it('keep instructions that change', async () => {
    const told = (text: string): { readonly more: Readonly<Record<string, string>> } => ({
      more: { 'gen_ai.system_instructions': JSON.stringify([{ type: 'text', content: text }]) },
    });
    const vizprompt = await openProject();
    await vizprompt.importConversations(
      traces(
        span('a', 1, { ...second, ...told('be the planner') }),
        span('a', 2, { ...third, ...told('be the critic now') }),
      ),
    );
    const [flow] = await vizprompt.listFlows();
    const { nodes } = await vizprompt.getFlow(flow?.id ?? '');
    const read = await Promise.all(nodes.map(({ id }) => vizprompt.getNode(id)));
    expect(read.map(({ prompt }) => prompt)).toEqual(['one?', 'one?']);
    expect(read.map((node) => /planner|critic/.exec(JSON.stringify(node))?.[0])).toEqual([
      'planner',
      'critic',
    ]);
  });

  it('count and keep what cannot be read of them', async () => {
    const vizprompt = await openProject();
    const cut = '[{"role":"user","parts":[{"type":"text","content":"a question that is cut';
    const { warnings, texts } = await vizprompt.importConversations(
      traces(
        {
          ...span('a', 1, { ...second, more: { 'gen_ai.input.messages': cut } }),
          name: 'a name of the span',
          status: { message: 'a status of the span' },
          body: { stringValue: 'a body of the record' },
        },
        span('a', 2, {
          ...third,
          more: { 'gen_ai.output.messages': cut.replace('question', 'reply') },
        }),
        span('a', 3, {
          ...third,
          more: { 'gen_ai.input.messages': JSON.stringify(['no object', ...third.input]) },
        }),
      ),
    );
    expect(warnings.map(({ reason }) => reason)).toEqual([
      '2 attributes with messages of models are cut off, or are no JSON',
    ]);
    const [flow] = await vizprompt.listFlows();
    const { nodes } = await vizprompt.getFlow(flow?.id ?? '');
    const read = await Promise.all(nodes.map(({ id }) => vizprompt.getNode(id)));
    for (const text of [
      'question that',
      'reply that',
      'name of',
      'status of',
      'body of',
      'no object',
    ])
      expect(JSON.stringify(read)).toContain(text);
    expect(texts[0]?.total).toBeGreaterThan(15);
  });

  it('name what is left out, where they are several conversations', async () => {
    const vizprompt = await openProject();
    const more = { 'app.note': 'a note of the app' };
    const named = { ...span('b', 1, { ...first, more }), name: 'a name of the span' };
    const { texts } = await vizprompt.importConversations(traces(span('a', 1, second), named));
    const place = 'spans.*.resourceSpans.*.scopeSpans.*.spans.*';
    expect(texts[0]?.leftOut).toMatchObject({
      [`${place}.name`]: 1,
      [`${place}.attributes.app.note.value.stringValue`]: 1,
    });
  });

  it.each([
    ['microseconds', { timestamp: 1_700_000_001_000_000 }],
    ['a pair of seconds and nanoseconds', { startTime: [1_700_000_001, 500] }],
    ['a time in snake case', { start_time_unix_nano: '1700000001000000000' }],
    [
      'only the time it was observed',
      { timeUnixNano: '0', observedTimeUnixNano: '1700000001000000000' },
    ],
  ])('have their time as %s', async (_, time) => {
    const vizprompt = await openProject();
    await vizprompt.importConversations({
      traceId: 't',
      ...time,
      attributes: attributesOf(second),
    });
    const [flow] = await vizprompt.listFlows();
    const { nodes } = await vizprompt.getFlow(flow?.id ?? '');
    const node = await vizprompt.getNode(nodes[0]?.id ?? '');
    expect(node.timestamp).toMatch(/^2023-11-14T22:13:21\.00000\dZ$/);
  });

  it('know an answer again whose keys are in another order', async () => {
    const turned = { parts: [{ content: 'one.', type: 'text' }], role: 'assistant' };
    const again = { ...third, input: [...second.input, turned, said('user', 'one?')] };
    const flows = await importedFrom(traces(span('a', 1, second), span('a', 2, again)));
    expect(flows).toEqual([['one? / one.', 'one? / one again.']]);
  });
});
