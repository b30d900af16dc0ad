import { LLMError, TypedEvents, type ChatModel } from '@vizprompt/providers';
import {
  compose,
  events,
  retry,
  type Middleware,
  type ModelEvents,
} from '@vizprompt/providers/middleware';
import { scriptedModel } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import { ask, eventsOf, failureOf, request, streaming, words } from './support.ts';

const names = ['call:started', 'call:first-content', 'call:ended', 'call:failed'] as const;

function observed(
  model: ChatModel,
  ...rest: readonly Middleware[]
): {
  readonly model: ChatModel;
  readonly seen: [string, Record<string, unknown>][];
} {
  const told = new TypedEvents<ModelEvents>();
  const seen: [string, Record<string, unknown>][] = [];
  for (const name of names) told.on(name, (payload) => seen.push([name, { ...payload }]));
  return { model: compose(model, events(told), ...rest), seen };
}

describe('events', () => {
  it('reports a call from its start to its end', async () => {
    const { model, seen } = observed(scriptedModel(['はい'], { chunkDelayMs: 15 }));
    await model.generate(request);
    const [callId] = seen.map(([, payload]) => payload['callId']);
    expect(callId).toMatch(/^[0-9a-f-]{36}$/);
    expect(seen).toEqual([
      ['call:started', { callId, provider: 'scripted', modelId: 'script' }],
      ['call:first-content', { callId, ms: expect.any(Number) }],
      [
        'call:ended',
        {
          callId,
          provider: 'scripted',
          modelId: 'script',
          model: 'script',
          ms: expect.any(Number),
          finishReason: 'stop',
          usage: { inputTokens: 4, outputTokens: 2 },
          isWhole: true,
        },
      ],
    ]);
    expect(seen[1]?.[1]['ms']).toBeGreaterThanOrEqual(13);
    expect(seen[1]?.[1]['ms']).toBeLessThan(1000);
  });

  it('emits a failure, and nothing after it', async () => {
    const { model, seen } = observed(scriptedModel([new LLMError('auth', 'no key')]));
    await failureOf(model.generate(request));
    expect(seen.map(([name]) => name)).toEqual(['call:started', 'call:failed']);
    expect(seen[1]?.[1]).toMatchObject({ code: 'auth', message: 'no key', modelId: 'script' });
  });

  it('emits once for a call with all its retries, or for each attempt below them', async () => {
    const script = [new LLMError('server', 'x'), 'はい'];
    const whole = observed(scriptedModel(script), retry({ baseMs: 1 }));
    await whole.model.generate(request);
    expect(whole.seen.map(([name]) => name)).toEqual(names.slice(0, 3));
    const each = observed(scriptedModel(script));
    await compose(each.model, retry({ baseMs: 1 })).generate(request);
    expect(each.seen.map(([name]) => name)).toEqual([
      'call:started',
      'call:failed',
      ...names.slice(0, 3),
    ]);
    expect(new Set(each.seen.map(([, { callId }]) => callId)).size).toBe(2);
  });

  it.each(['text-delta', 'finish'])(
    'reports one end when the reader leaves at %s',
    async (type) => {
      const { model, seen } = observed(streaming(() => words('猫')));
      for await (const event of model.stream(request)) if (event.type === type) break;
      expect(seen.map(([name]) => name)).toEqual(names.slice(0, 3));
      expect(seen[2]?.[1]).toMatchObject(
        type === 'finish'
          ? { finishReason: 'stop', isWhole: true }
          : { finishReason: 'unknown', isWhole: false, usage: { estimated: true } },
      );
    },
  );

  it('never emits conversations', async () => {
    const { model, seen } = observed(scriptedModel(['秘密の答え']));
    await model.generate(ask('秘密の問い'));
    expect(JSON.stringify(seen)).not.toContain('秘密');
  });

  it('does not change the stream, whatever its listeners do', async () => {
    const told = new TypedEvents<ModelEvents>();
    for (const name of names) {
      told.on(name, () => {
        throw new Error('listener');
      });
    }
    const broken = {
      emit: (): never => {
        throw new Error('emitter');
      },
    };
    const plain = await eventsOf(scriptedModel(['はい']).stream(request));
    const model = compose(scriptedModel(['はい']), events(told), events(broken));
    expect(await eventsOf(model.stream(request))).toEqual(plain);
  });

  it('takes an emitter that knows more events', () => {
    interface AppEvents extends ModelEvents {
      'app:started': { readonly at: number };
    }
    expect(events(new TypedEvents<AppEvents>()).name).toBe('events');
  });
});
