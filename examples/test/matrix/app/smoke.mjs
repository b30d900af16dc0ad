import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VizPrompt } from '@vizprompt/core';
import { MemoryStore } from '@vizprompt/memory';
import { openai } from '@vizprompt/providers/openai';
import { scriptedModel, startFakeLLM } from '@vizprompt/providers/testing';
import { SegmentBackend } from '@vizprompt/rag';
import { ConversationManager } from '@vizprompt/talktable';
import { WorkflowEngine } from '@vizprompt/workflow';

/** Uses each package once, and returns what it found. */
export async function smoke() {
  const folder = mkdtempSync(join(tmpdir(), 'vizprompt-smoke-'));
  const at = (name) => join(folder, name);
  const found = {};

  const vizprompt = await VizPrompt.open(at('project'), { model: scriptedModel(['はい']) });
  const node = await vizprompt.chat({ prompt: '猫?' }).node();
  found.core = [node.status, (await vizprompt.searchNodes({ text: 'はい' })).length];
  await vizprompt.close();

  const memory = await MemoryStore.open({ path: at('memory.db') });
  const { id } = await memory.startSession({ workspace: folder });
  await memory.log(id, 'user_message', { content: '猫はどこ' });
  found.memory = (await memory.search('猫')).length;
  await memory.close();

  const backend = await SegmentBackend.open({ folder: at('index') });
  const line = '灯台守の娘は嵐の夜に階段を駆け上がった。'.repeat(40);
  await backend.index(
    Array.from({ length: 600 }, (_, i) => ({
      novelId: 'n',
      filePath: `d${i}.md`,
      text: `# 章${i}\n\n${line}${i}`,
    })),
  );
  found.rag = (await backend.search('駆け上がる', { limit: 1 })).total;
  await backend.close();

  writeFileSync(
    at('flow.yaml'),
    `agent_roles: { w: { system_prompt: x, model: m } }
prompts: { d: 'W {{ topic }}' }
workflows:
  s:
    steps:
      - { id: d, type: agent_interaction, agent_id: w, prompt_id: d, input_variables: { topic: user_input }, output_variable: o }
`,
  );
  const engine = await WorkflowEngine.open({
    files: at('flow.yaml'),
    models: { m: scriptedModel(['A']) },
  });
  const run = await engine.start('s', 'x');
  found.workflow = (await run.result).output;
  await engine.close();

  const participants = ['A', 'B'].map((name) => ({ name, model: scriptedModel([name]) }));
  const talk = await ConversationManager.open({ topic: 'x', participants, rounds: 1 });
  const result = await talk.start().result();
  found.talktable = [result.status, result.reason];
  await talk.close();

  const server = await startFakeLLM({ answer: 'hi' });
  const model = openai({ model: 'x', baseURL: `${server.url}/v1`, apiKey: 'none' });
  const answer = await model.generate({
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'q' }] }],
  });
  found.openai = answer.text;
  await server.close();
  return found;
}
