import type { ChatModel } from '../models/chat-model.ts';
import { collectChat, type ChatCollector } from '../models/collect.ts';
import type { ChatEvent, ChatResult } from '../models/events.ts';
import type { LLMError } from '../models/llm-error.ts';
import type { ModelCapabilities, ModelInfo } from '../models/model-info.ts';
import { textOf, type Part } from '../models/message.ts';
import type { ChatInput, ChatRequest, TokenCount } from '../models/request.ts';
import { readMessages, streamInput } from './chat-input.ts';
import { estimateUsage } from './estimate-usage.ts';
import { explain, secretsIn, type FailureReader } from './explain.ts';
import { identify, type CallIdentity } from './identity.ts';
import { CallLimits } from './limits.ts';
import { ModelStream } from './model-stream.ts';
import type { Fetch } from './unlimited-fetch.ts';
import { createWire, type Wire } from './wire.ts';

/** The part of a request whose tokens are counted, with messages in one form. */
export type CountedRequest = Pick<ChatRequest, 'messages' | 'tools' | 'signal'>;

/** The definition of an adapter. {@link defineModel} adds everything that all adapters share. */
export interface ModelDefinition extends FailureReader {
  readonly identity: CallIdentity;
  readonly capabilities: ModelCapabilities;
  readonly fetch?: Fetch | undefined;
  /** True if answers are event streams; see `WireOptions`. */
  readonly isEventStream?: boolean | 'named';
  /** Makes one call and gives its events as they come, several at once where they come so. */
  call(request: ChatRequest, wire: Wire): AsyncIterable<readonly ChatEvent[]>;
  countTokens?(request: CountedRequest, wire: Wire): Promise<TokenCount>;
  /** Lists the models of its server. */
  listModels?(wire: Wire): Promise<readonly ModelInfo[]>;
  /** Loads its SDK, and makes a client of it. */
  prepare?(wire: Wire): Promise<unknown>;
}

/**
 * Makes a model of an adapter: limits and abort, errors with their partial answer, and a stream that
 * ends without a finish taken for the failure it is.
 */
export function defineModel(definition: ModelDefinition): ChatModel {
  const { identity, capabilities } = definition;
  const { countTokens, listModels, prepare } = definition;
  const open = (request: ChatRequest): AsyncIterable<ChatEvent> =>
    new ModelStream(
      {
        ...definition,
        explain: (error, wire, collector) => failureOf(error, definition, wire, collector, request),
      },
      request,
    );
  const stream = (input: ChatInput): AsyncIterable<ChatEvent> => streamInput(input, open);
  return {
    specVersion: 1,
    provider: identity.provider,
    modelId: identity.modelId,
    ...(identity.address === '' ? {} : { address: identity.address }),
    capabilities,
    stream,
    generate: (request) => collectChat(stream(request)),
    ...(prepare && {
      prepare: async () => void (await guardCall(definition, {}, (wire) => prepare(wire))),
    }),
    ...(countTokens && {
      countTokens: (request) =>
        guardCall(definition, request, (wire) =>
          countTokens({ ...request, messages: readMessages(request.messages) }, wire),
        ),
    }),
    ...(listModels && {
      listModels: (options = {}) => guardCall(definition, options, (wire) => listModels(wire)),
    }),
  };
}

function failureOf(
  error: unknown,
  definition: ModelDefinition,
  wire: Wire,
  collector: ChatCollector,
  request: ChatRequest,
): LLMError {
  const { identity } = definition;
  const failure = explain(error, definition, wire, identity.keyName);
  const secrets = [...identity.secrets, ...secretsIn(request.headers)];
  const { hasOutput } = collector;
  return identify(failure, { ...identity, secrets }, wire.headers, {
    outputStarted: hasOutput,
    ...(hasOutput || isPaid(failure, wire)
      ? { partial: partialOf(failure, collector, request) }
      : {}),
  });
}

/** Errors that end a call in its course do not make it free. */
const IN_ITS_COURSE: ReadonlySet<string> = new Set([
  'aborted',
  'timeout',
  'truncated',
  'output_parse',
]);

function isPaid({ code }: LLMError, { isSent, status = 200 }: Wire): boolean {
  return isSent && status < 400 && IN_ITS_COURSE.has(code);
}

function partialOf(
  { partial }: LLMError,
  collector: ChatCollector,
  request: ChatRequest,
): ChatResult {
  const answer = collector.result();
  const told = Object.keys(partial?.usage ?? {}).length > 0 ? partial?.usage : undefined;
  const known = told ?? (collector.isFinished ? answer.usage : undefined);
  const usage = known ?? estimateUsage(request, answer, collector.unfinished);
  const last = partial?.parts ?? [];
  const meta = partial?.meta ?? answer.meta;
  if (last.length === 0) return { ...answer, usage, ...(meta && { meta }) };
  // Parts that ended with the answer are in its last parts, and as far as they came in the collected ones.
  const before = answer.parts.filter((part) => !last.some((each) => isSame(each, part)));
  const parts = [...before, ...last];
  return { ...answer, parts, text: textOf(parts), usage, ...(meta && { meta }) };
}

function isSame(one: Part, other: Part): boolean {
  if (one.type !== other.type) return false;
  if ('text' in one && 'text' in other) return one.text === other.text;
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Runs a call that is not a stream under the same limits, with the same errors. */
export async function guardCall<T>(
  definition: Pick<ModelDefinition, 'identity' | 'fetch' | keyof FailureReader>,
  request: Pick<ChatRequest, 'signal' | 'timeout'>,
  run: (wire: Wire) => Promise<T>,
): Promise<T> {
  const { identity, fetch } = definition;
  const limits = new CallLimits(request.signal, request.timeout);
  const wire = createWire(limits, { fetch });
  try {
    if (limits.failure) throw limits.failure;
    return await limits.wait(run(wire));
  } catch (error) {
    const failure = explain(limits.failure ?? error, definition, wire, identity.keyName);
    throw identify(failure, identity, wire.headers, {});
  } finally {
    limits.close();
  }
}
