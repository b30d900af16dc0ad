import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testProject } from '../support/open-project.ts';
import {
  attributesOf,
  importedFrom,
  listed,
  said,
  second,
  span,
  traces,
} from '../support/spans.ts';

describe('spans of OpenTelemetry next to what is read without them', () => {
  const plain = [
    { role: 'user', content: 'plain question' },
    { role: 'assistant', content: 'plain answer' },
  ];
  const answer = { 'gen_ai.output.messages': JSON.stringify([said('assistant', 'last')]) };

  it('are a conversation of their own among messages', async () => {
    const flows = await importedFrom([
      ...plain,
      { traceId: 't', attributes: attributesOf(second) },
    ]);
    expect(new Set(flows)).toEqual(new Set([['one? / one.'], ['plain question / plain answer']]));
  });

  it.each([
    ['a conversation', { title: 'T', messages: plain, attributes: answer }],
    ['messages', plain.map((each) => ({ ...each, attributes: answer }))],
    ['rows as JSON', { messages: JSON.stringify(plain), attributes: answer }],
    [
      'a question with its answer',
      { prompt: 'plain question', response: 'plain answer', attributes: answer },
    ],
  ])('are attributes of %s', async (_, source) => {
    expect(await importedFrom(source)).toEqual([['plain question / plain answer']]);
  });

  it('are attributes of conversations in lines', async () => {
    const { vizprompt, folder } = await testProject();
    const path = join(folder, 'rows.jsonl');
    const lines = [1, 2].map((id) => ({ id: `row-${id}`, messages: plain, attributes: answer }));
    await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const { flows } = await vizprompt.importConversations(path);
    expect(flows).toHaveLength(2);
  });

  it('are read from spans and logs of one object, and a call in both only once', async () => {
    const logged = {
      traceId: 'a',
      spanId: 's',
      timeUnixNano: '1700000009000000000',
      attributes: listed(attributesOf(second)),
    };
    const inBoth = { ...span('a', 1, second), spanId: 's' };
    const other = { ...logged, traceId: 'b' };
    const resourceLogs = [{ scopeLogs: [{ logRecords: [logged, other] }] }];
    const flows = await importedFrom({ ...traces(inBoth), resourceLogs });
    expect(flows).toEqual([['one? / one.'], ['one? / one.']]);
  });

  it('are read with a conversation in the same object', async () => {
    const flows = await importedFrom({ messages: plain, ...traces(span('a', 1, second)) });
    expect(new Set(flows)).toEqual(new Set([['one? / one.'], ['plain question / plain answer']]));
  });
});
