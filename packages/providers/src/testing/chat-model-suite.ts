import assert from 'node:assert/strict';
import type { ChatModel } from '../models/chat-model.ts';
import type { ChatEvent } from '../models/events.ts';
import { LLMError } from '../models/llm-error.ts';
import { textMessage, textOf } from '../models/message.ts';
import type { ChatRequest } from '../models/request.ts';
import { declareSuite, type ContractCase, type SuiteOptions } from './contract-suite.ts';

/** The subject of the chat model suite. */
export interface ChatModelSubject {
  /** Must answer each request with some text, and take a moment between its pieces. */
  readonly model: ChatModel;
}

const request: ChatRequest = { messages: [textMessage('user', 'こんにちは 👋')] };

async function collect(stream: AsyncIterable<ChatEvent>): Promise<ChatEvent[]> {
  const events: ChatEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

function isAborted(error: unknown): boolean {
  assert.ok(LLMError.isInstance(error), `expected an LLMError, got ${String(error)}`);
  assert.equal(error.code, 'aborted');
  assert.equal(error.isRetryable, false);
  return true;
}

/** The cases of the `ChatModel` contract that every model must pass. */
export const chatModelCases: readonly ContractCase<ChatModelSubject>[] = [
  {
    name: 'says who it is',
    async run({ model }) {
      assert.equal(model.specVersion, 1);
      assert.ok(model.provider.length > 0 && model.modelId.length > 0);
    },
  },
  {
    name: 'streams one start, deltas and parts that agree, and one finish',
    async run({ model }) {
      const events = await collect(model.stream(request));
      assert.equal(events[0]?.type, 'start');
      assert.equal(events.at(-1)?.type, 'finish');
      assert.equal(events.filter(({ type }) => type === 'start').length, 1);
      assert.equal(events.filter(({ type }) => type === 'finish').length, 1);
      const deltas = events
        .map((event) => (event.type === 'text-delta' ? event.text : ''))
        .join('');
      const parts = events.flatMap((event) => (event.type === 'part' ? [event.part] : []));
      assert.equal(deltas, textOf(parts));
      assert.ok(deltas.length > 0 && deltas.isWellFormed());
    },
  },
  {
    name: 'gives as a whole what it streams',
    async run({ model }) {
      const result = await model.generate(request);
      assert.equal(result.text, textOf(result.parts));
      assert.ok(result.text.length > 0);
      assert.equal(result.finishReason, 'stop');
      assert.ok((result.usage.outputTokens ?? 0) > 0);
    },
  },
  {
    name: 'stops at once when aborted before it begins',
    async run({ model }) {
      const signal = AbortSignal.abort(new Error('told to'));
      await assert.rejects(collect(model.stream({ ...request, signal })), isAborted);
      await assert.rejects(model.generate({ ...request, signal }), isAborted);
    },
  },
  {
    name: 'stops in the middle when aborted, and says that output had begun',
    async run({ model }) {
      const controller = new AbortController();
      const reading = async (): Promise<void> => {
        for await (const event of model.stream({ ...request, signal: controller.signal })) {
          if (event.type === 'text-delta') controller.abort(new Error('enough'));
        }
      };
      await assert.rejects(reading, (error: unknown) => {
        isAborted(error);
        return LLMError.isInstance(error) && error.outputStarted;
      });
    },
  },
  {
    name: 'lets the reader leave early, and answers again afterwards',
    async run({ model }) {
      for await (const event of model.stream(request)) if (event.type === 'text-delta') break;
      assert.ok((await model.generate(request)).text.length > 0);
    },
  },
];

/** Declares the tests of the `ChatModel` contract; see `testFileStore` for an example. */
export function testChatModel(options: SuiteOptions<ChatModelSubject>): void {
  declareSuite('ChatModel', chatModelCases, options);
}
