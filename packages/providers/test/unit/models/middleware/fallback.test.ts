import { LLMError, type ChatEvent, type LLMErrorCode } from '@vizprompt/providers';
import { compose, fallback, retry } from '@vizprompt/providers/middleware';
import { scriptedModel } from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import {
  ask,
  eventsOf,
  failureOf,
  pause,
  request,
  streaming,
  useVirtualTime,
  words,
} from './support.ts';

const broken = (code: LLMErrorCode, name = 'first'): ReturnType<typeof scriptedModel> =>
  scriptedModel(() => new LLMError(code, `${code} happened`), {
    provider: name,
    modelId: `${name}-1`,
  });
const working = (name: string): ReturnType<typeof scriptedModel> =>
  scriptedModel(() => 'はい', { provider: name, modelId: `${name}-1` });

describe('fallback', () => {
  it('asks the next model, and says who answers and who failed and why', async () => {
    const model = compose(broken('quota'), fallback(broken('network', 'second'), working('third')));
    const result = await model.generate(request);
    expect(result).toMatchObject({ text: 'はい', model: 'third-1' });
    expect(result.warnings.map(({ message }) => message)).toEqual([
      "first model 'first-1' failed (quota: quota happened); third model 'third-1' answers instead",
      "second model 'second-1' failed (network: network happened); third model 'third-1' answers instead",
    ]);
  });

  it('names the model also where its start does not, and shows one start', async () => {
    const nameless = streaming(
      async function* () {
        for await (const event of words('a')) {
          yield event.type === 'start' ? { type: 'start', warnings: [{ message: 'own' }] } : event;
        }
      },
      { modelId: 'nameless' },
    );
    const events = await eventsOf(compose(broken('server'), fallback(nameless)).stream(request));
    const starts = events.filter((event) => event.type === 'start');
    expect(starts).toHaveLength(1);
    expect(starts[0]).toMatchObject({ model: 'nameless', warnings: [{}, { message: 'own' }] });
  });

  it('changes nothing where the first model answers, and asks no other', async () => {
    const second = working('second');
    const plain = await eventsOf(working('first').stream(request));
    expect(await eventsOf(compose(working('first'), fallback(second)).stream(request))).toEqual(
      plain,
    );
    expect(second.calls).toHaveLength(0);
  });

  it.each([
    'timeout',
    'network',
    'rate_limit',
    'overloaded',
    'server',
    'quota',
    'auth',
    'permission',
    'not_found',
    'context_length',
    'unsupported',
    'truncated',
    'bad_response',
  ] as const)('continues after %s', async (code) => {
    expect((await compose(broken(code), fallback(working('b'))).generate(request)).text).toBe(
      'はい',
    );
  });

  it.each(['aborted', 'invalid_request', 'content_filter'] as const)(
    'does not continue after %s',
    async (code) => {
      const second = working('b');
      const error = await failureOf(compose(broken(code), fallback(second)).generate(request));
      expect(error.code).toBe(code);
      expect(second.calls).toHaveLength(0);
    },
  );

  it('continues as its condition decides, but never after an abort', async () => {
    const seen: LLMErrorCode[] = [];
    const when = ({ code }: LLMError): boolean => {
      seen.push(code);
      return code === 'content_filter' || code === 'aborted';
    };
    const layer = fallback({ models: [working('b')], when });
    expect((await compose(broken('content_filter'), layer).generate(request)).text).toBe('はい');
    expect((await failureOf(compose(broken('server'), layer).generate(request))).code).toBe(
      'server',
    );
    expect((await failureOf(compose(broken('aborted'), layer).generate(request))).code).toBe(
      'aborted',
    );
    expect(seen).toEqual(['content_filter', 'server']);
  });

  it('does not continue once content was passed on', async () => {
    const stub = streaming(async function* (): AsyncGenerator<ChatEvent> {
      for await (const event of words('a')) {
        if (event.type === 'part') throw new LLMError('network', 'cut');
        yield event;
      }
    });
    const second = working('b');
    const model = compose(stub, fallback(second));
    const error = await failureOf(eventsOf(model.stream(request)));
    expect(error.message).toBe('cut');
    expect(second.calls).toHaveLength(0);
    // Pieces that are only collected have not been seen.
    expect((await model.generate(request)).text).toBe('はい');
  });

  it('fails with the last error, and the others in its context', async () => {
    const model = compose(broken('quota'), fallback(broken('network', 'b'), broken('auth', 'c')));
    expect(await failureOf(model.generate(request))).toMatchObject({
      code: 'auth',
      message: 'auth happened',
      context: {
        others: [
          { provider: 'first', modelId: 'first-1', code: 'quota', message: 'quota happened' },
          { provider: 'b', modelId: 'b-1', code: 'network', message: 'network happened' },
        ],
      },
    });
  });

  it('comes after the retries of the first model, and leaves the others to their own', async () => {
    const first = broken('server');
    const second = broken('server', 'second');
    const third = broken('server', 'third');
    const quick = { baseMs: 0 };
    const model = compose(first, fallback(second, compose(third, retry(quick))), retry(quick));
    const error = await failureOf(model.generate(request));
    expect([first, second, third].map(({ calls }) => calls.length)).toEqual([3, 1, 3]);
    expect(error.context).toMatchObject({ attempts: 3 });
  });

  it('does not give the headers of a request to another provider', async () => {
    const [same, other] = [working('first'), working('other')];
    const asked = ask('猫', { headers: { authorization: 'Bearer x' }, temperature: 0 });
    await compose(broken('server'), fallback(same)).generate(asked);
    await compose(broken('server'), fallback(other)).generate(asked);
    expect(same.calls[0]?.headers).toEqual(asked.headers);
    expect(other.calls[0]).toEqual({ messages: asked.messages, temperature: 0 });
  });

  it('keeps to the total time of the request', async () => {
    useVirtualTime();
    const slow = streaming(async function* ({ timeout }): AsyncGenerator<ChatEvent> {
      await pause(timeout?.totalMs ?? 0);
      if (timeout) throw new LLMError('timeout', 'too slow');
      yield* words();
    });
    const second = working('b');
    const asked = ask('猫', { timeout: { totalMs: 30 } });
    expect((await failureOf(compose(slow, fallback(second)).generate(asked))).code).toBe('timeout');
    expect(second.calls).toHaveLength(0);
  });

  it('makes an LLMError of what another model throws', async () => {
    const wild = scriptedModel([new TypeError('oops')], { provider: 'wild' });
    const error = await failureOf(compose(broken('server'), fallback(wild)).generate(request));
    expect(error).toMatchObject({ code: 'bad_response', cause: expect.any(TypeError) });
  });

  it('aborts the model that answers when the reader leaves', async () => {
    const stub = streaming(() => words('a', 'b'));
    for await (const event of compose(broken('server'), fallback(stub)).stream(request)) {
      if (event.type === 'text-delta') break;
    }
    expect(stub).toMatchObject({ open: 0, closed: 1 });
  });
});
