import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '@vizprompt/providers';
import { describe, expect, it } from 'vitest';
import { problemsOf } from '../../agents/compare.ts';
import { anthropic } from '../../agents/server/anthropic.ts';
import { chat } from '../../agents/server/chat.ts';
import { gemini } from '../../agents/server/gemini.ts';
import { responses } from '../../agents/server/responses.ts';
import { SaidResults } from '../../agents/server/said-results.ts';
import { ClaudeLog } from '../../support/capture/claude-log.ts';
import { newFolder, openMemory, put } from '../../support/capture/open-memory.ts';

const text = 'Output: one\ntwo';
const REQUESTS: readonly (readonly [typeof chat, string, JsonObject])[] = [
  [
    anthropic,
    '/v1/messages',
    { messages: [{ role: 'user', content: [{ type: 'tool_result', content: text }] }] },
  ],
  [
    anthropic,
    '/v1/messages',
    {
      messages: [
        { role: 'user', content: [{ type: 'tool_result', content: [{ type: 'text', text }] }] },
      ],
    },
  ],
  [chat, '/v1/chat/completions', { messages: [{ role: 'tool', content: text }] }],
  [responses, '/v1/responses', { input: [{ type: 'function_call_output', output: text }] }],
  [
    responses,
    '/v1/responses',
    {
      input: [
        {
          type: 'custom_tool_call_output',
          output: [{ type: 'input_text', text: JSON.stringify({ output: text }) }],
        },
      ],
    },
  ],
  [
    gemini,
    '/v1beta/models/x:streamGenerateContent',
    {
      contents: [
        { role: 'user', parts: [{ functionResponse: { name: 'x', response: { output: text } } }] },
      ],
    },
  ],
];

describe('what an agent gave to its model', () => {
  it.each(REQUESTS)('is read from a request (%#)', (protocol, url, body) => {
    const said = new SaidResults();
    for (const result of protocol.read(url, body)?.results ?? []) said.add(result);
    const lines = said.lines({ isLive: false });
    expect([lines.has('one'), lines.has('two'), lines.has('three')]).toEqual([true, true, false]);
  });

  it('has the files that results name, and deleted ones only for hooks', async () => {
    const folder = await newFolder();
    const [kept, deleted] = [join(folder, 'kept.txt'), join(folder, 'deleted.txt')];
    await writeFile(kept, 'one\n');
    await writeFile(deleted, 'two\n');
    const said = new SaidResults();
    said.add(`…cut…\nSaved to: ${kept}.\nSaved to: ${deleted}\nzero`);
    await rm(deleted);
    const has = (isLive: boolean) =>
      ['zero', 'one', 'two'].map((line) => said.lines({ isLive }).has(line));
    expect(has(false)).toEqual([true, true, false]);
    expect(has(true)).toEqual([true, true, true]);
    expect(new SaidResults().lines({ isLive: true }).size).toBe(0);
  });

  it('is missed where the memory has less', async () => {
    const log = new ClaudeLog('said').user('run').call('toolu_1', 'Bash', { command: 'seq 1 9' });
    log.result('toolu_1', { stdout: '1\n2\n3', stderr: '' });
    const folder = await newFolder();
    const store = await openMemory();
    await store.importTranscript(await put(folder, 'a.jsonl', log.toString()), { closed: true });
    const problems = async (outputs: readonly string[]) => {
      const found = await problemsOf(store, [], { workspace: folder, outputs });
      return found.filter((problem) => problem.includes('outputs'));
    };
    expect(await problems(['1', '2', '3'])).toEqual([]);
    expect(await problems(['1', '2', '3', '4', '5'])).toEqual([
      "2 lines of outputs, from '4' to '5'",
    ]);
  });
});
