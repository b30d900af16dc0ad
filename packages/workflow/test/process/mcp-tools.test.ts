import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scriptedModel } from '@vizprompt/providers/testing';
import { expect, it } from 'vitest';
import { WorkflowEngine, type WorkflowFile } from '../../src/index.ts';
import { temporaryFolder } from '../support/engine/open-engine.ts';

const server = fileURLToPath(new URL('../children/mcp-server.mjs', import.meta.url));

function fileOf(log: string, tools: readonly string[]): WorkflowFile {
  return {
    use: {
      mcpServers: {
        counter: {
          command: process.execPath,
          args: [server, log],
          env: { SECRET: '${VIZPROMPT_TEST_SECRET}' },
        },
      },
    },
    agent_roles: { poet: { system_prompt: '', model: 'm' } },
    prompts: { write: 'x' },
    workflows: {
      flow: {
        steps: [
          { id: 'ask', type: 'agent_interaction', agent_id: 'poet', prompt_id: 'write', tools },
        ],
      },
    },
  };
}

it('an agent calls tools of a server that the file names, which is started once', async () => {
  const log = join(await temporaryFolder(), 'log');
  const files = fileOf(log, ['mcp:counter/double', 'mcp:counter']);
  const m = scriptedModel(({ messages, tools = [] }) => {
    if (messages.at(-1)?.role === 'tool') return tools.map(({ name }) => name).join(' ');
    const calls = [
      { type: 'tool-call', id: '1', name: 'counter_double', input: { n: 21 } },
      { type: 'tool-call', id: '2', name: 'counter_fail', input: {} },
    ] as const;
    return { parts: calls, finishReason: 'tool-calls' };
  });
  process.env['VIZPROMPT_TEST_SECRET'] = 'hush';
  try {
    await using engine = await WorkflowEngine.open({ files, models: { m }, trust: true });
    for (let run = 0; run < 2; run++) {
      const { output } = await (await engine.start('flow', 'x')).result;
      expect(output).toBe('counter_double counter_double_2 counter_fail counter_exit');
    }
    expect(JSON.stringify(m.calls[1]?.messages.at(-1))).toMatch(/42.*broken/);
  } finally {
    delete process.env['VIZPROMPT_TEST_SECRET'];
  }
  expect(await readFile(log, 'utf8')).toBe('started\ndouble 21 hush\ndouble 21 hush\n');
});

it('starts no program without consent', async () => {
  const log = join(await temporaryFolder(), 'log');
  const m = scriptedModel(['never']);
  const requests: unknown[] = [];
  const engine = await WorkflowEngine.open({
    files: fileOf(log, ['mcp:counter']),
    models: { m },
    trust: (request) => {
      requests.push(...request.uses);
      return false;
    },
  });
  await expect((await engine.start('flow', 'x')).result).rejects.toMatchObject({
    context: { causeCode: 'untrusted' },
  });
  expect(requests).toMatchObject([{ kind: 'command' }, { kind: 'key' }]);
  expect(m.calls).toHaveLength(0);
  await expect(readFile(log, 'utf8')).rejects.toThrow('ENOENT');
  await engine.close();
});

/** A file whose server is a program of its own. */
function serverOf(code: string, env: Record<string, string> = {}): WorkflowFile {
  const file = fileOf('', ['mcp:odd']);
  const odd = { command: process.execPath, args: ['-e', code], env };
  return { ...file, use: { mcpServers: { odd } } };
}

it('waits no longer for a server that says nothing than its run or its engine', async () => {
  const m = scriptedModel(['never']);
  const files = serverOf('setInterval(() => undefined, 1e6)');
  const engine = await WorkflowEngine.open({ files, models: { m }, trust: true });
  const run = await engine.start('flow', 'x');
  for await (const { type } of run) if (type === 'step:started') break;
  run.cancel();
  await expect(run.result).rejects.toMatchObject({ code: 'cancelled' });
  const other = await engine.start('flow', 'x');
  const result = other.result.catch((error: unknown) => error);
  for await (const { type } of other) if (type === 'step:started') break;
  await engine.close();
  expect(await result).toMatchObject({ code: 'closed' });
  expect(m.calls).toHaveLength(0);
}, 20_000);

it('starts a server again that died', async () => {
  const log = join(await temporaryFolder(), 'log');
  const file = fileOf(log, ['mcp:counter']);
  const call = { type: 'tool-call', id: '1', name: 'counter_exit', input: {} } as const;
  const m = scriptedModel(({ messages, tools = [] }) =>
    messages.at(-1)?.role === 'tool'
      ? tools.map(({ name }) => name).join(' ')
      : { parts: [call], finishReason: 'tool-calls' },
  );
  process.env['VIZPROMPT_TEST_SECRET'] = 'hush';
  try {
    await using engine = await WorkflowEngine.open({ files: file, models: { m }, trust: true });
    for (let run = 0; run < 2; run++) await (await engine.start('flow', 'x')).result;
  } finally {
    delete process.env['VIZPROMPT_TEST_SECRET'];
  }
  expect(await readFile(log, 'utf8')).toBe('started\nexit\nstarted\nexit\n');
});

it('says which variable of the environment is not set', async () => {
  const m = scriptedModel(['never']);
  const files = serverOf('', { KEY: 'Bearer ${VIZPROMPT_TEST_UNSET}' });
  await using engine = await WorkflowEngine.open({ files, models: { m }, trust: true });
  await expect((await engine.start('flow', 'x')).result).rejects.toMatchObject({
    message: expect.stringContaining("'VIZPROMPT_TEST_UNSET', which 'KEY' of the MCP server 'odd'"),
  });
});

it.each([
  ['a default', '${VIZPROMPT_TEST_UNSET:-x}', 'double 21 x'],
  ['an empty default', 'a${VIZPROMPT_TEST_UNSET:-}b', 'double 21 ab'],
  ['an empty variable', '${VIZPROMPT_TEST_EMPTY:-x}', 'double 21 x'],
])('a variable that may be absent has %s, and needs consent', async (_, secret, line) => {
  const log = join(await temporaryFolder(), 'log');
  const file = fileOf(log, ['mcp:counter']);
  const counter = { command: process.execPath, args: [server, log], env: { SECRET: secret } };
  const files: WorkflowFile = { ...file, use: { mcpServers: { counter } } };
  const m = scriptedModel(({ messages }) => {
    if (messages.at(-1)?.role === 'tool') return 'done';
    const call = { type: 'tool-call', id: '1', name: 'counter_double', input: { n: 21 } } as const;
    return { parts: [call], finishReason: 'tool-calls' };
  });
  const asked: string[] = [];
  process.env['VIZPROMPT_TEST_EMPTY'] = '';
  try {
    await using engine = await WorkflowEngine.open({
      files,
      models: { m },
      trust: ({ uses }) => {
        asked.push(...uses.map(({ text }) => text));
        return true;
      },
    });
    await (
      await engine.start('flow', 'x')
    ).result;
  } finally {
    delete process.env['VIZPROMPT_TEST_EMPTY'];
  }
  expect(asked.join()).toMatch(/the value of VIZPROMPT_TEST_(?:UNSET|EMPTY) goes to/);
  expect(await readFile(log, 'utf8')).toBe(`started\n${line}\n`);
});

it('closes while a person is asked to trust a server', async () => {
  const m = scriptedModel(['never']);
  let isAsked: () => void = () => undefined;
  const asking = new Promise<void>((resolve) => (isAsked = resolve));
  const engine = await WorkflowEngine.open({
    files: serverOf(''),
    models: { m },
    trust: () => {
      isAsked();
      return new Promise<boolean>(() => undefined);
    },
  });
  const result = (await engine.start('flow', 'x')).result.catch((error: unknown) => error);
  await asking;
  await engine.close();
  expect(await result).toMatchObject({ code: 'closed' });
});
