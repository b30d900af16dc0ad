import {
  LLMError,
  TypedEvents,
  type ChatEvent,
  type ChatModel,
  type FileStore,
} from '@vizprompt/providers';
import {
  budget,
  cache,
  compose,
  createBudget,
  fallback,
  events,
  rateLimit,
  record,
  redact,
  replay,
  retry,
  type Middleware,
  type ModelEvents,
} from '@vizprompt/providers/middleware';
import { inMemoryStorage } from '@vizprompt/providers/node';
import {
  chatModelCases,
  runContract,
  scriptedModel,
  testChatModel,
} from '@vizprompt/providers/testing';
import { describe, expect, it } from 'vitest';
import { eventsOf, failureOf, request, streaming, words } from './support.ts';
import { toPeerError } from '../../../../src/peer.ts';

const answer = (): string => 'はい、猫です。吾輩には名前がまだありません。🐈';
const model = (): ChatModel => scriptedModel(answer, { chunkSize: 3, chunkDelayMs: 1 });

const layers: Record<string, (store: FileStore) => readonly Middleware[]> = {
  nothing: () => [],
  retry: () => [retry()],
  rateLimit: () => [rateLimit({ requestsPerMinute: 100, tokensPerMinute: 1e5, concurrency: 1 })],
  fallback: () => [fallback(model())],
  cache: (store) => [cache({ store })],
  record: (store) => [record({ store })],
  redact: () => [redact()],
  budget: () => [budget(createBudget({ tokens: 1e5 }))],
  events: () => [events(new TypedEvents<ModelEvents>())],
  everything: (store) => [
    events(new TypedEvents<ModelEvents>()),
    budget(createBudget({ tokens: 1e5 })),
    redact(),
    cache({ store }),
    fallback(model()),
    retry(),
    rateLimit({ concurrency: 2 }),
    record({ store }),
  ],
};

for (const [name, make] of Object.entries(layers)) {
  testChatModel({
    name: `with ${name}`,
    runner: { describe, it },
    open: async () => {
      const storage = await inMemoryStorage();
      return {
        subject: { model: compose(model(), ...make(storage.files)) },
        close: () => storage.close(),
      };
    },
  });
}

function noting(name: string, seen: string[]): Middleware {
  return {
    name,
    async *stream(asked, next) {
      seen.push(`${name} in`);
      yield* next({ ...asked, stop: [...(asked.stop ?? []), name] });
      seen.push(`${name} out`);
    },
  };
}

describe('compose', () => {
  it('has the first layer outermost', async () => {
    const seen: string[] = [];
    const stub = streaming(() => words('a'));
    await compose(stub, noting('first', seen), noting('second', seen)).generate(request);
    expect(seen).toEqual(['first in', 'second in', 'second out', 'first out']);
    expect(stub.calls[0]?.stop).toEqual(['first', 'second']);
  });

  it('says who the model is, and counts tokens as the model does, or not at all', async () => {
    const scripted = scriptedModel([], {
      provider: 'p',
      modelId: 'm',
      capabilities: { reasoning: true },
    });
    const composed = compose(scripted, retry());
    expect(composed).toMatchObject({
      specVersion: 1,
      provider: 'p',
      modelId: 'm',
      capabilities: { reasoning: true },
    });
    expect(await composed.countTokens?.(request)).toEqual(await scripted.countTokens?.(request));
    expect('countTokens' in compose(streaming(() => words('a')))).toBe(false);
  });

  it('does nothing before the first event is asked for', async () => {
    const stub = streaming(() => words('a'));
    const stream = compose(stub, retry(), noting('x', [])).stream(request);
    expect(stub.calls).toHaveLength(0);
    await eventsOf(stream);
    expect(stub.calls).toHaveLength(1);
  });

  it.each(['start', 'text-delta', 'part', 'finish'])(
    'aborts the model, through every layer, when the reader leaves at %s',
    async (type) => {
      await using storage = await inMemoryStorage();
      const stub = streaming(() => words('a', 'b'));
      const all = layers['everything']?.(storage.files) ?? [];
      for await (const event of compose(stub, ...all).stream(request)) {
        if (event.type === type) break;
      }
      expect(stub).toMatchObject({ open: 0, closed: 1 });
    },
  );

  it('makes an LLMError of whatever the model throws', async () => {
    const broken = streaming(async function* () {
      yield* (async function* (): AsyncGenerator<ChatEvent> {
        yield { type: 'text-delta', index: 0, text: '途中' };
      })();
      throw new TypeError('x is not a function');
    });
    const error = await failureOf(compose(broken, retry()).generate(request));
    expect(error).toMatchObject({
      code: 'bad_response',
      outputStarted: true,
      partial: { text: '途中' },
      isRetryable: false,
      cause: expect.any(TypeError),
    });
    expect(error.message).toBe("stub model 'stub-1' failed unexpectedly: x is not a function");
  });

  it('names the package that a layer misses, and the command to install it', async () => {
    const name: string = 'no-such-package';
    const needy: Middleware = {
      name: 'needy',
      async *stream(given, next) {
        yield* next(given);
        await import(name).catch((error: unknown) => {
          throw toPeerError(error, name);
        });
      },
    };
    const asked = scriptedModel(() => 'はい');
    const error = await failureOf(compose(asked, needy, retry()).generate(request));
    expect(error).toMatchObject({
      code: 'unsupported',
      message:
        "the middleware 'needy': the package 'no-such-package' is missing: npm install no-such-package",
      outputStarted: true,
      partial: { text: 'はい' },
      cause: { code: 'peer-missing' },
    });
    expect(asked.calls).toHaveLength(1);
  });

  it('makes an LLMError of whatever a layer throws, and names the layer', async () => {
    const wrong: Middleware = {
      name: 'wrong',
      stream: () => {
        throw new RangeError('no');
      },
    };
    const error = await failureOf(compose(scriptedModel(['a']), wrong).generate(request));
    expect(error.message).toBe("the middleware 'wrong' failed unexpectedly: no");
  });

  it('passes an LLMError of the model on as it is', async () => {
    const failure = new LLMError('auth', 'no key');
    await expect(
      compose(scriptedModel([failure]), noting('x', []), rateLimit({})).generate(request),
    ).rejects.toBe(failure);
  });

  it('takes a stream without a finish for a failure', async () => {
    const cut = streaming(async function* () {
      for await (const event of words('a')) if (event.type !== 'finish') yield event;
    });
    const error = await failureOf(eventsOf(compose(cut).stream(request)));
    expect(error).toMatchObject({ code: 'truncated', partial: { text: 'a' } });
    const silent: Middleware = { name: 'silent', async *stream() {} };
    expect((await failureOf(eventsOf(compose(cut, silent).stream(request)))).message).toBe(
      "the middleware 'silent' ended the stream without a finish event",
    );
  });

  it('does not even ask the layers when the call was aborted before', async () => {
    const allowance = createBudget({ tokens: 1 });
    const composed = compose(scriptedModel(['a']), budget(allowance));
    const signal = AbortSignal.abort(new Error('told to'));
    const error = await failureOf(composed.generate({ ...request, signal }));
    expect(error).toMatchObject({ code: 'aborted', cause: new Error('told to') });
  });

  it('can be composed again', async () => {
    const inner = compose(
      scriptedModel([new LLMError('server', 'x'), 'はい']),
      retry({ baseMs: 1 }),
    );
    expect((await compose(inner, rateLimit({ concurrency: 1 })).generate(request)).text).toBe(
      'はい',
    );
  });
});

it('replay passes the contract of a chat model on what record wrote', async () => {
  const storage = await inMemoryStorage();
  const recorder = compose(model(), record({ store: storage.files }));
  await recorder.generate({
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'こんにちは 👋' }] }],
  });
  const never = streaming(() => words('never'), { provider: 'scripted', modelId: 'script' });
  const report = await runContract(chatModelCases, async () => ({
    subject: { model: compose(never, replay({ store: storage.files })) },
    close: async () => {},
  }));
  expect(report.failed).toEqual([]);
  expect(never.calls).toHaveLength(0);
  await storage.close();
});
