import { LLMError, textMessage, type ChatEvent, type JsonObject } from '@vizprompt/providers';
import { defineTool, generateObject, runTools } from '@vizprompt/providers/generate';
import { scriptedModel } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { adapters, fakeServer } from '../../support/models/adapters.ts';

const request = { messages: [textMessage('user', '猫の名前を二つ')] };
const cats = z.object({ names: z.array(z.string()).length(2) });
const jsonSchema: JsonObject = {
  type: 'object',
  properties: { names: { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 2 } },
  required: ['names'],
};
const GOOD = '{"names":["タマ","ミケ"]}';

describe('an object instead of a text', () => {
  it.each([
    ['zod', cats],
    ['JSON Schema', jsonSchema],
  ])('fits its schema: %s', async (_, schema) => {
    const model = scriptedModel([GOOD]);
    const { object, attempts } = await generateObject(model, request, { schema });
    expect(object).toEqual({ names: ['タマ', 'ミケ'] });
    expect(attempts).toBe(1);
    expect(model.calls[0]?.output).toMatchObject({
      type: 'json',
      schema: { type: 'object', required: ['names'] },
    });
  });

  it.each([
    ['zod', cats],
    ['JSON Schema', jsonSchema],
  ])('is asked for again with what was wrong: %s', async (_, schema) => {
    const model = scriptedModel(['{"names":["タマ"]}', `\`\`\`json\n${GOOD}\n\`\`\``]);
    const { object, attempts, usage } = await generateObject(model, request, { schema });
    expect(object).toEqual({ names: ['タマ', 'ミケ'] });
    expect(attempts).toBe(2);
    expect(usage.outputTokens).toBeGreaterThan(10);
    const [, answer, complaint] = model.calls[1]?.messages ?? [];
    expect(answer).toEqual(textMessage('assistant', '{"names":["タマ"]}'));
    expect(JSON.stringify(complaint)).toContain('- /names');
  });

  it('fails with the answer and the reasons when no attempt fits', async () => {
    const model = scriptedModel(['no', '{"names":1}', GOOD]);
    const error: unknown = await generateObject(model, request, { schema: cats }).catch(
      (thrown: unknown) => thrown,
    );
    if (!LLMError.isInstance(error)) throw error;
    expect(error.code).toBe('output_parse');
    expect(error.message).toContain('does not fit the schema after 2 attempts: /names');
    expect(error.partial?.text).toBe('{"names":1}');
    expect(error.context['attempts']).toBe(2);
  });

  it('is not asked for again where the limit of tokens cut it off', async () => {
    const parts = [{ type: 'text', text: '{"names":["タ' }] as const;
    const model = scriptedModel([{ parts, finishReason: 'length' }, GOOD]);
    const calling = generateObject(model, request, { schema: cats });
    await expect(calling).rejects.toThrow('raise maxOutputTokens');
    expect(model.calls).toHaveLength(1);
  });

  it('needs a schema that is one', async () => {
    const model = scriptedModel([GOOD]);
    await expect(
      generateObject(model, request, { schema: { type: 'nonsense' } }),
    ).rejects.toMatchObject({ code: 'invalid_request' });
    const mute = { '~standard': { version: 1, vendor: 'mute', validate: () => ({ value: 1 }) } };
    await expect(generateObject(model, request, { schema: mute as never })).rejects.toThrow(
      "schemas of 'mute' give no JSON Schema",
    );
  });

  it.each(Object.entries(adapters))('is asked for by %s in its own way', async (_, adapter) => {
    const llm = await fakeServer({ answer: GOOD });
    const { object } = await generateObject(adapter.model(llm.url), request, { schema: cats });
    expect(object.names).toEqual(['タマ', 'ミケ']);
    expect(JSON.stringify(llm.requests[0]?.body)).toMatch(/\\?"names\\?"/);
  });
});

describe('tools', () => {
  const weather = defineTool({
    name: 'weather',
    input: z.object({ city: z.string() }),
    execute: ({ city }) => {
      if (city === '海') throw new Error('there is no weather in the sea');
      return { sky: `${city}は晴れ` };
    },
  });
  const call = (id: string, name: string, input: JsonObject): object => ({
    type: 'tool-call',
    id,
    name,
    input,
  });

  it('are run until the model has its answer, and mistakes go back to it', async () => {
    const calls = [
      call('1', 'weather', { city: '京都' }),
      call('2', 'weather', { town: 3 }),
      call('3', 'weather', { city: '海' }),
      call('4', 'wetter', {}),
    ];
    const model = scriptedModel([calls as never, '晴れです。']);
    const seen: [number, ChatEvent['type']][] = [];
    const run = await runTools(model, request, [weather], {
      onEvent: ({ type }, step) => seen.push([step, type]),
    });
    expect(run).toMatchObject({ text: '晴れです。', isComplete: true });
    expect(run.steps).toHaveLength(2);
    expect(run.messages.map(({ role }) => role)).toEqual(['assistant', 'tool', 'assistant']);
    expect(run.messages[1]?.parts).toEqual([
      { type: 'tool-result', id: '1', name: 'weather', output: { sky: '京都は晴れ' } },
      expect.objectContaining({ id: '2', isError: true, output: expect.stringContaining('/city') }),
      expect.objectContaining({ id: '3', isError: true, output: 'there is no weather in the sea' }),
      expect.objectContaining({
        id: '4',
        isError: true,
        output: "there is no tool 'wetter'; there are: weather",
      }),
    ]);
    expect(seen.at(-1)).toEqual([2, 'finish']);
    expect(model.calls[1]?.messages).toHaveLength(3);
  });

  it('end when the steps are used up', async () => {
    const model = scriptedModel(() => [call('1', 'weather', { city: 'x' })] as never);
    const run = await runTools(model, request, [weather], { maxSteps: 3 });
    expect(run.isComplete).toBe(false);
    expect(model.calls).toHaveLength(3);
  });

  it('receive an abort, which ends the run', async () => {
    const controller = new AbortController();
    let heard = false;
    const slow = defineTool({
      name: 'slow',
      input: { type: 'object' },
      execute: (_input, { signal }) => {
        controller.abort(new Error('enough'));
        heard = signal?.aborted ?? false;
        return null;
      },
    });
    const model = scriptedModel([[call('1', 'slow', {})] as never, 'never']);
    await expect(
      runTools(model, { ...request, signal: controller.signal }, [slow]),
    ).rejects.toMatchObject({ code: 'aborted' });
    expect(heard).toBe(true);
    expect(model.calls).toHaveLength(1);
  });

  it.each(Object.entries(adapters))('are run by %s', async (_, adapter) => {
    const llm = await fakeServer();
    llm.answer([call('1', 'weather', { city: '京都' })] as never, '晴れです。');
    const run = await runTools(adapter.model(llm.url), request, [weather]);
    expect(run.text).toBe('晴れです。');
    expect(JSON.stringify(llm.requests[1]?.body)).toContain('京都は晴れ');
  });
});
