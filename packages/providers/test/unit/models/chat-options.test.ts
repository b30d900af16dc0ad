import type { ChatInput } from '@vizprompt/providers';
import { compose } from '@vizprompt/providers/middleware';
import { scriptedModel } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import { readChatInput } from '../../../src/adapter-kit/chat-input.ts';

async function errorOf(input: unknown): Promise<unknown> {
  const model = compose(scriptedModel(['はい']));
  return model.generate(input as ChatInput).catch((error: unknown) => error);
}

describe('an option of another kind', () => {
  it.each([
    ['a timeout that is no object', { timeout: 5 }, /'timeout' of the request: expected an object/],
    [
      'an unknown limit',
      { timeout: { totalms: 5 } },
      /has no option 'totalms': is 'totalMs' meant/,
    ],
    ['a controller for its signal', { signal: new AbortController() }, /expected an AbortSignal/],
    ['a text for a number', { temperature: 'hot' }, /'temperature' of the request: expected a num/],
    ['a text for tools', { tools: 'search' }, /'tools' of the request: expected an array of tools/],
    ['a tool without a name', { tools: [{ parameters: {} }] }, /expected an array of tools/],
    ['a number to stop at', { stop: [1] }, /'stop' of the request: expected an array of strings/],
    ['an unknown effort', { reasoning: 'hgh' }, /got "hgh": is 'high' meant\?/],
    ['an unknown choice', { toolChoice: 'yes' }, /'auto' or 'none' or 'required', or \{ tool \}/],
    ['a form that is a text', { output: 'json' }, /'output' of the request: expected \{ type: /],
  ])('is refused before the model is asked: %s', async (_, option, message) => {
    expect(await errorOf({ prompt: 'x', ...option })).toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(message),
    });
  });

  it('is none of those that fit', async () => {
    const model = scriptedModel(['はい']);
    const { text } = await model.generate({
      prompt: 'x',
      tools: [],
      toolChoice: { tool: 'a' },
      output: { type: 'json', schema: {} },
      maxOutputTokens: 1,
      temperature: 0,
      stop: [],
      reasoning: 'default',
      signal: new AbortController().signal,
      timeout: { totalMs: 60_000, idleMs: undefined },
      headers: {},
      providerOptions: { openai: {} },
    });
    expect(text).toBe('はい');
  });

  it('is none that is null, a single text to stop at, or a tool without parameters', async () => {
    const names = ['tools', 'toolChoice', 'output', 'maxOutputTokens', 'temperature', 'topP'];
    names.push('stop', 'seed', 'reasoning', 'signal', 'timeout', 'headers', 'providerOptions');
    const unset = Object.fromEntries(names.map((name) => [name, null]));
    const messages = [{ role: 'user', parts: [{ type: 'text', text: 'x' }] }];
    for (const asked of [{ prompt: 'x' }, { messages }])
      expect(readLoose({ ...asked, ...unset })).toEqual({ messages });
    const tools = [{ name: 'a' }];
    expect(readLoose({ messages, stop: 'END', tools })).toEqual({ messages, stop: ['END'], tools });
  });

  it('leaves what an instance of a class has from getters', () => {
    const messages = [{ role: 'user', parts: [{ type: 'text', text: 'x' }] }];
    class Asked {
      readonly #stop: unknown;
      readonly seed = null;
      constructor(stop: unknown) {
        this.#stop = stop;
      }
      get messages(): unknown {
        return messages;
      }
      get stop(): unknown {
        return this.#stop;
      }
    }
    expect(readLoose(new Asked(['END']))).toEqual({ messages, stop: ['END'] });
    expect(readLoose(new Asked('END'))).toEqual({ messages, stop: ['END'] });
  });
});

function readLoose(input: unknown): unknown {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as plain JavaScript may give it
  return readChatInput(input as ChatInput);
}
