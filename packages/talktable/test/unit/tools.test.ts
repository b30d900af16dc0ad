import type { Part } from '@vizprompt/providers';
import { defineTool } from '@vizprompt/providers/generate';
import { scriptedModel } from '@vizprompt/providers/testing';
import { expect, it } from 'vitest';
import { counting, failureOf, openManager, turnsOf, twoAndMC } from '../support/support.ts';

const lookUp = defineTool<{ word: string }>({
  name: 'look_up',
  input: { type: 'object', properties: { word: { type: 'string' } } },
  execute({ word }) {
    if (word === 'none') throw new Error('there is no such word');
    return `${word}: 猫`;
  },
});

function call(id: string, word: string): Part {
  return { type: 'tool-call', id, name: 'look_up', input: { word } };
}

it('a participant calls tools before it speaks; what it said before a call is no part of its turn', async () => {
  const a = scriptedModel([
    { parts: [{ type: 'text', text: 'Wait.' }, call('1', 'cat')], finishReason: 'tool-calls' },
    { parts: [call('2', 'none')], finishReason: 'tool-calls' },
    'It is 猫.',
  ]);
  const manager = await openManager(
    twoAndMC({
      moderator: undefined,
      rounds: 1,
      participants: [
        { name: 'A', model: a, tools: ['look_up'] },
        { name: 'B', model: counting('B') },
      ],
    }),
    { tools: [lookUp] },
  );
  const run = manager.start();
  const called: unknown[] = [];
  for await (const event of run) {
    if (event.type === 'turn:called') called.push([event.speaker, event.output, event.isError]);
  }
  expect(called).toEqual([
    ['A', 'cat: 猫', false],
    ['A', 'there is no such word', true],
  ]);
  const [row] = await turnsOf(manager, run.conversationId);
  expect(row).toMatchObject({ status: 'done', text: 'It is 猫.' });
  expect(row?.prompt).toContain(
    '[tool]\n{"tool":"look_up","input":{"word":"cat"},"output":"cat: 猫"}',
  );
  expect(a.calls).toHaveLength(3);
  expect(a.calls[0]?.tools).toMatchObject([{ name: 'look_up' }]);
});

it('a tool that the host did not give is a mistake of the config', async () => {
  const error = await failureOf(
    openManager(
      twoAndMC({
        participants: [
          { name: 'A', model: counting('A'), tools: ['search'] },
          { name: 'B', model: counting('B') },
        ],
      }),
      { tools: [lookUp] },
    ),
  );
  expect(error).toMatchObject({ code: 'config-invalid' });
  expect(String(error)).toContain(
    "there is no tool 'search' in the option tools; there is: look_up",
  );
});
