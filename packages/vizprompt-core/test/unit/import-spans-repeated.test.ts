import { isJsonObject } from '@vizprompt/providers/internal';
import { describe, expect, it, vi } from 'vitest';
import { expandSpans } from '../../src/import/spans.ts';
import { openProject } from '../support/open-project.ts';
import { attributesOf, importedFrom, listed, said, span, traces } from '../support/spans.ts';

const [Q, A] = [said('user', 'Q?'), said('assistant', 'A.')];
const agent = { 'gen_ai.operation.name': 'invoke_agent' };
const thinking = (content: string, answer: string): object => ({
  role: 'assistant',
  parts: [
    { type: 'reasoning', content },
    { type: 'text', content: answer },
  ],
});

/** A call of a model in the trace `a`. */
function call(
  spanId: string,
  second: number,
  input: readonly object[],
  output: readonly object[],
  more: Readonly<Record<string, string>> = {},
): object {
  return { ...span('a', second, { input, output, more }), spanId };
}

describe('spans of an agent whose answers are those of the calls in it', () => {
  const outer = call('agent', 1, [Q], [A], agent);

  it.each([
    ['is not recorded', [], ['Q? / A.']],
    ['is another one', [said('user', 'rephrased')], ['Q? / ', 'rephrased / A.']],
    ['is the same', [Q], ['Q? / A.']],
  ])('hold what was asked where the input of the call in it %s', async (_, input, expected) => {
    const within = { ...call('1', 2, input, [A]), parentSpanId: 'agent' };
    expect(await importedFrom(traces(outer, within))).toEqual([expected]);
    // Spans are written when they end: one within another comes first.
    const sameTime = { ...call('1', 1, input, [A]), parentSpanId: 'agent' };
    expect(await importedFrom(traces(sameTime, outer))).toEqual([expected]);
    expect(await importedFrom(traces(outer, call('1', 2, input, [A])))).toEqual([expected]);
  });

  it('hold a question that an earlier call was asked, too', async () => {
    const go = said('user', 'go on');
    const turn = (at: number, answer: string): object[] => [
      call(`agent ${at}`, at * 2, [go], [said('assistant', answer)], agent),
      {
        ...call(`${at}`, at * 2 + 1, [], [said('assistant', answer)]),
        parentSpanId: `agent ${at}`,
      },
    ];
    expect(await importedFrom(traces(...turn(1, 'one'), ...turn(2, 'two')))).toEqual([
      ['go on / one', 'go on / two'],
    ]);
  });

  it('keep their instructions', async () => {
    const vizprompt = await openProject();
    const told = JSON.stringify([{ type: 'text', content: 'be the planner' }]);
    const other = JSON.stringify([{ type: 'text', content: 'be the critic' }]);
    const { warnings } = await vizprompt.importConversations(
      traces(call('agent', 1, [Q], [A], { ...agent, 'gen_ai.system_instructions': told }), {
        ...call('1', 2, [], [A], { 'gen_ai.system_instructions': other }),
        parentSpanId: 'agent',
      }),
    );
    expect(warnings).toEqual([]);
    const [flow] = await vizprompt.listFlows();
    const { nodes } = await vizprompt.getFlow(flow?.id ?? '');
    const read = await Promise.all(nodes.map(({ id }) => vizprompt.getNode(id)));
    expect(JSON.stringify(read)).toMatch(/planner.*critic/s);
  });

  it('add nothing where the answer of the call in it has its reasoning', async () => {
    const within = { ...call('1', 2, [Q], [thinking('hm', 'A.')]), parentSpanId: 'agent' };
    expect(await importedFrom(traces(outer, within))).toEqual([['Q? / A.']]);
  });
});

describe('spans that repeat each other', () => {
  const logsOf = (...logRecords: object[]): object => ({
    resourceLogs: [{ scopeLogs: [{ logRecords }] }],
  });

  it('are read once where an agent without a parent is in a log, too', async () => {
    const logged = call('1', 1, [Q], [A]);
    const source = { ...traces(call('1', 1, [Q], [A], agent)), ...logsOf(logged) };
    expect(await importedFrom(source)).toEqual([['Q? / A.']]);
    const turned = { ...traces(logged), ...logsOf(call('1', 1, [Q], [A], agent)) };
    expect(await importedFrom(turned)).toEqual([['Q? / A.']]);
  });

  it.each([1, 2, 120, 250])('are read where %i of them go round in a circle', async (size) => {
    const spans = Array.from({ length: size }, (_, at) => ({
      ...call(`${at}`, 1, [Q], [A]),
      parentSpanId: `${(at + 1) % size}`,
    }));
    const below = { ...call('below', 1, [Q], [A]), parentSpanId: '0' };
    const [flow] = await importedFrom(traces(...spans));
    expect(flow?.[0]).toMatch(/^Q\? \/ A\./);
    expect((await importedFrom(traces(...spans, below)))[0]?.[0]).toMatch(/^Q\? \/ A\./);
  });

  it('are not joined for each other call with the id of a large one', () => {
    const large = Array.from({ length: 300 }, (_, at) => said('user', `question ${at}`));
    const small = large.map((each) => call('1', 2, [each], []));
    const source: unknown = traces(call('1', 1, large, [A]), ...small);
    if (!isJsonObject(source)) throw new Error('expected JSON');
    const join = vi.spyOn(Array.prototype, 'join');
    try {
      expandSpans(source);
      expect(join.mock.calls.length).toBeLessThan(small.length);
    } finally {
      join.mockRestore();
    }
  });

  it.each([
    ['hex', '0'.repeat(32), '0'.repeat(16)],
    ['hex with a prefix', `0x${'0'.repeat(32)}`, `0x${'0'.repeat(16)}`],
    ['a UUID', '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000'],
    ['base64', 'AAAAAAAAAAAAAAAAAAAAAA==', 'AAAAAAAAAAA='],
  ])('are each of its own with ids of zeros in %s', async (_, traceId, spanId) => {
    const record = (at: number, more: Readonly<Record<string, string>>): object => ({
      traceId,
      spanId,
      timeUnixNano: `170000000${at}000000000`,
      attributes: listed(attributesOf({ input: [said('user', 'go on')], output: [A], more })),
    });
    const records = (more: Readonly<Record<string, string>>): object =>
      logsOf(...[1, 2, 3].map((at) => record(at, more)));
    expect(await importedFrom(records({}))).toEqual([1, 2, 3].map(() => ['go on / A.']));
    const one = await importedFrom(records({ 'gen_ai.conversation.id': 'c' }));
    expect(one).toEqual([Array(3).fill('go on / A.')]);
  });

  it('are compared by an id that is only short', async () => {
    const outer = call('0', 1, [Q], [A]);
    const within = { ...call('1', 2, [Q], [A]), parentSpanId: '0' };
    expect(await importedFrom(traces(outer, within))).toEqual([['Q? / A.']]);
  });
});

describe('spans whose input has an answer in another form than it was recorded in', () => {
  const q2 = said('user', 'two?');
  const a2 = said('assistant', 'two.');
  const parts = (...list: object[]): object => ({ role: 'assistant', parts: list });
  const text = (content: string): object => ({ type: 'text', content });

  it.each([
    ['without its reasoning', thinking('hm', 'A.'), A],
    ['without its thinking', parts({ type: 'thinking', thinking: 'hm' }, text('A.')), A],
    ['without a field of it', { ...A, reasoning_content: 'hm' }, A],
    ['trimmed', parts(text('\nA. \n')), A],
    [
      'trimmed, as one string',
      { role: 'assistant', content: 'A. ' },
      { role: 'assistant', content: 'A.' },
    ],
    ['as it was', thinking('hm', 'A.'), thinking('hm', 'A.')],
  ])('have each message once: %s', async (_, recorded, again) => {
    const source = traces(call('1', 1, [Q], [recorded]), call('2', 2, [Q, again, q2], [a2]));
    expect(await importedFrom(source)).toEqual([
      [expect.stringMatching(/^Q\? \/ \s*A\.\s*$/), 'two? / two.'],
    ]);
  });

  it('have the question once where the answer is another', async () => {
    const changed = said('assistant', 'in short');
    const source = traces(call('1', 1, [Q], [A]), call('2', 2, [Q, changed, q2], [a2]));
    expect(await importedFrom(source)).toEqual([['Q? / A.\n\nin short', 'two? / two.']]);
  });

  it('have a question twice that was asked twice, and reasoning that is new', async () => {
    const source = traces(
      call('1', 1, [Q], [A]),
      call('2', 2, [Q, thinking('hm', 'A.'), Q, A, q2], [a2]),
    );
    expect(await importedFrom(source)).toEqual([['Q? / A.\n\nA.', 'Q? / A.', 'two? / two.']]);
  });
});
