import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openProject, testProject } from '../support/open-project.ts';

const said = (role: string, content: string): object => ({
  role,
  parts: [{ type: 'text', content }],
});
const call = {
  role: 'assistant',
  parts: [{ type: 'tool_call', id: 'c', name: 'look', arguments: { at: 'it' } }],
};
const result = {
  role: 'tool',
  parts: [{ type: 'tool_call_response', id: 'c', response: 'rain' }],
};

interface Said {
  readonly input: readonly object[];
  readonly output: readonly object[];
  readonly more?: Readonly<Record<string, string>>;
}

function attributesOf({ input, output, more = {} }: Said): Readonly<Record<string, string>> {
  return {
    'gen_ai.request.model': 'm',
    'gen_ai.input.messages': JSON.stringify(input),
    'gen_ai.output.messages': JSON.stringify(output),
    ...more,
  };
}

function listed(attributes: Readonly<Record<string, string>>): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: { stringValue: value } }));
}

/** A call of a model as a span of OTLP. */
function span(traceId: string, second: number, messages: Said): object {
  const startTimeUnixNano = `170000000${second}000000000`;
  return { traceId, startTimeUnixNano, attributes: listed(attributesOf(messages)) };
}

const traces = (...spans: object[]): object => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] });

const first = { input: [said('user', 'one?')], output: [call] };
const second = {
  input: [said('user', 'one?'), call, result],
  output: [{ ...said('assistant', 'one.'), finish_reason: 'stop' }],
};
const third = {
  input: [...second.input, said('assistant', 'one.'), said('user', 'one?')],
  output: [said('assistant', 'one again.')],
};

/** Imports a source; the nodes of each flow as `prompt / response`. */
async function importedFrom(source: object): Promise<string[][]> {
  const vizprompt = await openProject();
  await vizprompt.importConversations(source);
  const flows: string[][] = [];
  for (const { id } of await vizprompt.listFlows()) {
    const { nodes } = await vizprompt.getFlow(id);
    const read = await Promise.all(nodes.map((node) => vizprompt.getNode(node.id)));
    flows.push(read.map(({ prompt, response }) => `${prompt} / ${response}`));
  }
  return flows;
}

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
});
