import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testProject } from '../support/open-project.ts';

describe('JSON in strings of entries', () => {
  it.each([
    [
      'a span',
      (deep: string) => ({
        attributes: {
          'gen_ai.output.messages': `[{"role":"assistant","parts":[{"type":"tool_call","arguments":${deep}}]}]`,
        },
      }),
    ],
    [
      'a transcript',
      (deep: string) => ({
        conversationtranscriptid: 'x',
        content: `{"activities":[{"type":"message","channelId":"c","from":{"role":1},"text":"t","value":${deep}}]}`,
      }),
    ],
    ['a row', (deep: string) => ({ messages: `[{"role":"user","content":${deep}}]` })],
    [
      'a call of a tool',
      (deep: string) => ({
        messages: [
          { role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: deep } }] },
        ],
      }),
    ],
    ['a text', (deep: string) => ({ messages: [{ role: 'user', content: 'q' }], more: deep })],
  ])('that is too deep does not end the import: %s', async (_, entryOf) => {
    const { vizprompt, folder } = await testProject();
    const path = join(folder, 'deep.jsonl');
    const deep = '{"a":'.repeat(30_000) + '1' + '}'.repeat(30_000);
    const healthy = { id: 'healthy', messages: [{ role: 'user', content: 'all is well' }] };
    await writeFile(path, `${JSON.stringify(healthy)}\n${JSON.stringify(entryOf(deep))}\n`);
    const { flows } = await vizprompt.importConversations(path);
    expect(flows.length).toBeGreaterThan(0);
  });
});
