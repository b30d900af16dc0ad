import { textMessage, type ReasoningEffort } from '@vizprompt/providers';
import { gemini } from '@vizprompt/providers/gemini';
import { ollama } from '@vizprompt/providers/ollama';
import { openai, openAIProfiles, type OpenAIProfileName } from '@vizprompt/providers/openai';
import { describe, expect, it } from 'vitest';
import { EFFORTS, milderEffort, nearestLevel } from '../../../src/adapter-kit/effort.ts';
import { fakeServer, KEY } from '../../support/models/adapters.ts';

const messages = [textMessage('user', '猫？')];

/** Returns the fields that ask for each level, in the order of the levels. */
async function sentBy(
  ask: (url: string, reasoning: ReasoningEffort) => Promise<unknown>,
  pick: (body: Readonly<Record<string, unknown>>) => unknown,
): Promise<unknown[]> {
  const llm = await fakeServer();
  for (const level of EFFORTS) await ask(llm.url, level);
  return llm.requests.map(({ body }) => pick(body));
}

describe('a level of effort', () => {
  it('is passed by every profile, or the nearest that its server has', async () => {
    const sent: Record<string, unknown> = {};
    for (const profile of Object.keys(openAIProfiles) as OpenAIProfileName[]) {
      const levels = await sentBy(
        (url, reasoning) =>
          openai({ model: 'm', apiKey: KEY, baseURL: `${url}/v1`, profile }).generate({
            messages,
            reasoning,
          }),
        ({ reasoning_effort: effort, reasoning, thinking }) =>
          effort ??
          Reflect.get(Object(reasoning), 'effort') ??
          Reflect.get(Object(reasoning), 'enabled') ??
          Reflect.get(Object(thinking), 'type'),
      );
      sent[profile] = levels.join(' ');
    }
    expect(sent).toMatchInlineSnapshot(`
      {
        "compatible": "none minimal low medium high xhigh max",
        "deepseek": "disabled low low high high high max",
        "gemini-openai": "none minimal low medium high high high",
        "groq": "none low low medium high high high",
        "llamacpp": "none minimal low medium high xhigh max",
        "lmstudio": "none minimal low medium high xhigh max",
        "mistral": "none high high high high high high",
        "ollama": "none low low medium high high high",
        "openai": "none minimal low medium high xhigh max",
        "openrouter": "false minimal low medium high xhigh max",
        "vllm": "none low low medium high high high",
      }
    `);
  });

  it('is one of the levels of Gemini and Ollama', async () => {
    const ofGemini = (model: string) =>
      sentBy(
        (url, reasoning) =>
          gemini({ model, apiKey: KEY, baseURL: url }).generate({ messages, reasoning }),
        ({ generationConfig }) => {
          const config: unknown = Reflect.get(Object(generationConfig), 'thinkingConfig');
          return (
            Reflect.get(Object(config), 'thinkingLevel') ??
            Reflect.get(Object(config), 'thinkingBudget')
          );
        },
      );
    expect((await ofGemini('gemini-3-flash')).join(' ')).toBe(
      'MINIMAL MINIMAL LOW MEDIUM HIGH HIGH HIGH',
    );
    expect((await ofGemini('gemini-2.5-flash')).join(' ')).toBe(
      '0 512 1024 8192 24576 24576 24576',
    );
    const ofOllama = await sentBy(
      (url, reasoning) => ollama({ model: 'm', host: url }).generate({ messages, reasoning }),
      ({ think }) => think,
    );
    expect(ofOllama.join(' ')).toBe('false low low medium high high high');
  });

  it('is the nearest where a server lists what it takes', () => {
    const tables: readonly (readonly [levels: string, becomes: string])[] = [
      ['none low high max', 'none low low high high high max'],
      ['none high', 'none high high high high high high'],
      ['low medium high', 'low low low medium high high high'],
      ['high', 'high high high high high high high'],
      ['none', 'none none none none none none none'],
      ['minimal xhigh', 'minimal minimal minimal xhigh xhigh xhigh xhigh'],
    ];
    for (const [levels, becomes] of tables) {
      const listed = EFFORTS.filter((level) => levels.split(' ').includes(level));
      expect(EFFORTS.map((level) => nearestLevel(level, listed)).join(' ')).toBe(becomes);
    }
    expect(nearestLevel('high', [])).toBeUndefined();
  });

  it('goes towards the middle where a server lists nothing, and away where it has no levels', () => {
    const said = (level: string) => `Unsupported value: '${level}' is not supported here.`;
    expect(EFFORTS.map((level) => milderEffort(level, said(level)))).toEqual([
      'minimal',
      'low',
      'medium',
      undefined,
      'medium',
      'high',
      'xhigh',
    ]);
    expect(milderEffort('max', "'reasoning_effort' is not supported")).toBeUndefined();
  });

  it('is found step by step, and remembered', async () => {
    const llm = await fakeServer();
    const model = openai({ model: 'steps', apiKey: KEY, baseURL: `${llm.url}/v1` });
    for (const level of ['max', 'xhigh']) {
      const message = `Unsupported value: '${level}' is not supported with this model.`;
      const error = { message, param: 'reasoning_effort', code: 'unsupported_value' };
      llm.fail({ type: 'status', status: 400, body: { error } });
    }
    const { warnings } = await model.generate({ messages, reasoning: 'max' });
    await model.generate({ messages, reasoning: 'max' });
    expect(llm.requests.map(({ body }) => body['reasoning_effort'])).toEqual([
      'max',
      'xhigh',
      'high',
      'high',
    ]);
    expect(warnings).toMatchObject([{ field: 'reasoning' }]);
  });

  it.each([
    'level "max" not supported, valid levels: low, medium, high',
    'Unexpected reasoning effort max. Supported types are high, medium, low',
    "reasoning_effort: Input should be one of low|medium|high, not 'max'",
  ])('is replaced for one level only: %s', async (message) => {
    const llm = await fakeServer();
    const model = openai({ model: message, apiKey: KEY, baseURL: `${llm.url}/v1` });
    llm.fail({ type: 'status', status: 400, body: { error: { message } } });
    for (const reasoning of ['max', 'low', 'max'] as const)
      await model.generate({ messages, reasoning });
    const levels = llm.requests.map(({ body }) => body['reasoning_effort']);
    expect(levels).toEqual(['max', 'high', 'low', 'high']);
  });
});
