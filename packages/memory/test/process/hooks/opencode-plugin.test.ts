import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { installHooks } from '../../../src/hooks/index.ts';
import { newFolder, put } from '../../support/capture/open-memory.ts';

it('records each event in its turn, and gives a session what is known at its first message', async () => {
  const folder = await newFolder();
  const log = join(folder, 'log');
  // Prints to a session that begins, and logs all of its input.
  const program = `const text = require('fs').readFileSync(0, 'utf8');
    require('fs').appendFileSync(${JSON.stringify(log)}, text + '\\n');
    if (text.includes('SessionStart')) process.stdout.write('past');`;
  const script = await put(folder, 'hook.cjs', program);
  const settingsFile = join(folder, 'ptta.mjs');
  const command = `"${process.execPath}" "${script}"`;
  await installHooks({ agent: 'opencode', command, settingsFile });
  const messages = [{ info: { id: 'm1' } }];
  const client = {
    session: {
      get: async ({ path: { id } }: { path: { id: string } }) => ({
        data: id === 'child' ? { id, parentID: 's' } : { id },
      }),
      messages: async () => ({ data: messages }),
    },
  };
  const { Ptta } = (await import(settingsFile)) as {
    Ptta: (input: object) => Promise<{
      event(input: object): Promise<void>;
      config(input: object): Promise<void>;
      dispose(): Promise<void>;
      'chat.message'(input: object, output: object): Promise<void>;
    }>;
  };
  const plugin = await Ptta({ client, directory: folder });
  const begin = async (sessionID: string, id: string): Promise<unknown[]> => {
    const parts: unknown[] = [];
    await plugin['chat.message']({ sessionID }, { message: { id }, parts });
    return parts;
  };
  expect(await begin('s', 'm1')).toMatchObject([
    { id: expect.stringMatching(/^prt_/), sessionID: 's', text: 'past', synthetic: true },
  ]);
  expect(await begin('child', 'm1')).toEqual([]);
  expect(await begin('s', 'm2')).toEqual([]);
  const tell = (type: string, properties: object): Promise<void> =>
    plugin.event({ event: { type, properties } });
  const part = { type: 'tool', sessionID: 's', state: { status: 'completed' } };
  await tell('message.part.updated', { part: { ...part, state: { status: 'running' } } });
  await tell('message.part.updated', { part });
  await tell('session.compacted', { sessionID: 's' });
  await tell('session.idle', { sessionID: 's' });
  await plugin.dispose();
  // Events that came meanwhile are one.
  const told = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { hook_event_name: string; session_id: string });
  expect(told.map((one) => one.hook_event_name)).toEqual(['SessionStart', 'PostToolUse', 'Stop']);
  expect(await begin('s', 'm3')).toMatchObject([{ text: 'past' }]);
  const config = {};
  await plugin.config(config);
  // The command is not that of ptta, so that its server is not known.
  expect(config).toEqual({});
});
