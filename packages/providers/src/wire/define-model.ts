import type { ChatModel, ModelCapabilities } from '../chat/chat-model.ts';
import { ChatCollector, collectChat } from '../chat/collect.ts';
import type { ChatEvent } from '../chat/events.ts';
import { LLMError } from '../chat/llm-error.ts';
import type { ChatRequest, TokenCount, TokenCountRequest } from '../chat/request.ts';
import { estimateUsage } from './estimate-usage.ts';
import { explain, type ReadFailure } from './explain.ts';
import { identify, type CallIdentity } from './identity.ts';
import { CallLimits } from './limits.ts';
import { secretsIn } from './secrets.ts';
import { createWire, type Fetch, type Wire } from './wire.ts';

/** What an adapter tells of itself; everything that all have in common is done for it. */
export interface ModelDefinition {
  readonly identity: CallIdentity;
  readonly capabilities: ModelCapabilities;
  readonly fetch?: Fetch | undefined;
  /** Makes one call and gives its events as they come, several at once where they come so. */
  call(request: ChatRequest, wire: Wire): AsyncIterable<readonly ChatEvent[]>;
  readonly readFailure: ReadFailure;
  countTokens?(request: TokenCountRequest, wire: Wire): Promise<TokenCount>;
}

/**
 * Makes a model of an adapter: limits and abort, errors with their partial answer, and a stream that
 * ends without a finish taken for the failure it is.
 */
export function defineModel(definition: ModelDefinition): ChatModel {
  const { identity, capabilities } = definition;
  const { countTokens } = definition;
  const stream = (request: ChatRequest): AsyncIterable<ChatEvent> => streamOf(definition, request);
  return {
    specVersion: 1,
    provider: identity.provider,
    modelId: identity.modelId,
    capabilities,
    stream,
    generate: (request) => collectChat(stream(request)),
    ...(countTokens && {
      countTokens: (request) =>
        guardCall(definition, request, (wire) => countTokens(request, wire)),
    }),
  };
}

async function* streamOf(
  definition: ModelDefinition,
  request: ChatRequest,
): AsyncGenerator<ChatEvent> {
  const limits = new CallLimits(request.signal, request.timeout);
  const wire = createWire(limits, definition.fetch);
  const collector = new ChatCollector();
  let pieces: AsyncIterator<readonly ChatEvent[]> | undefined;
  try {
    if (limits.failure) throw limits.failure;
    pieces = definition.call(request, wire)[Symbol.asyncIterator]();
    for (;;) {
      const piece = await limits.wait(pieces.next());
      if (piece.done) break;
      for (const event of piece.value) {
        collector.add(event);
        yield event;
      }
    }
    if (limits.failure) throw limits.failure;
    if (collector.isFinished) return;
    throw new LLMError('truncated', 'the stream ended before the answer was complete');
  } catch (error) {
    const cause = limits.failure ?? error;
    throw failureOf(cause, definition, wire, collector, request);
  } finally {
    limits.close();
    pieces?.return?.()?.catch(() => undefined);
  }
}

function failureOf(
  error: unknown,
  { identity, readFailure }: ModelDefinition,
  { headers }: Wire,
  collector: ChatCollector,
  request: ChatRequest,
): LLMError {
  const failure = explain(error, readFailure, headers, identity.keyName);
  const answer = collector.result();
  const usage = collector.isFinished ? answer.usage : estimateUsage(request, answer);
  const secrets = [...identity.secrets, ...secretsIn(request.headers)];
  return identify(failure, { ...identity, secrets }, headers, {
    outputStarted: collector.hasOutput,
    ...(collector.hasOutput ? { partial: { ...answer, usage } } : {}),
  });
}

/** Runs a call that is not a stream under the same limits, with the same errors. */
export async function guardCall<T>(
  definition: Pick<ModelDefinition, 'identity' | 'fetch' | 'readFailure'>,
  request: Pick<ChatRequest, 'signal' | 'timeout'>,
  run: (wire: Wire) => Promise<T>,
): Promise<T> {
  const { identity, fetch, readFailure } = definition;
  const limits = new CallLimits(request.signal, request.timeout);
  const wire = createWire(limits, fetch);
  try {
    if (limits.failure) throw limits.failure;
    return await limits.wait(run(wire));
  } catch (error) {
    const failure = explain(limits.failure ?? error, readFailure, wire.headers, identity.keyName);
    throw identify(failure, identity, wire.headers, {});
  } finally {
    limits.close();
  }
}
