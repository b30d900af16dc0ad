import {
  type ChatEvent,
  type ChatResult,
  createTokenEstimator,
  type FileStore,
  LLMError,
  type Part,
  type Usage,
} from '@vizprompt/providers';
import { ChatCollector } from '@vizprompt/providers/internal';
import { sideOf } from '../node/chat-parts.ts';
import type { NodePatch } from '../node/edit-node.ts';
import type { NodePart, NodeStats, NodeStatus, VizNode } from '../node/node.ts';

/** Gathers what a node is to hold of its answer, over all calls of the model that it took. */
export class AnswerRecord {
  /** Parts of all calls before the last one, in order, results of tools included. */
  readonly #before: Part[] = [];
  readonly #usages: Usage[] = [];
  #collector = new ChatCollector();
  readonly #startedAt = performance.now();
  readonly #promptTokens: number;
  #firstAt: number | undefined;

  /** @param promptTokens - The tokens of the prompt, for models that do not report it. */
  constructor(promptTokens: number) {
    this.#promptTokens = promptTokens;
  }

  add(event: ChatEvent): void {
    this.#collector.add(event);
    if (event.type !== 'start' && event.type !== 'finish') this.#firstAt ??= performance.now();
  }

  /** Checks whether the last call came to its end. */
  get isFinished(): boolean {
    return this.#collector.isFinished;
  }

  /** The answer of the last call so far. */
  get result(): ChatResult {
    return this.#collector.result();
  }

  /** A call is over, and another follows: what it said and was given belongs to the record. */
  next(given: readonly Part[]): void {
    const { parts, usage } = this.result;
    this.#before.push(...parts, ...given);
    this.#usages.push(usage);
    this.#collector = new ChatCollector();
  }

  /** The usage of all calls together. */
  get usage(): Usage {
    const usages = [...this.#usages, this.result.usage];
    const sum = (key: 'inputTokens' | 'outputTokens'): number | undefined => {
      const told = usages.flatMap((usage) => usage[key] ?? []);
      return told.length > 0 ? told.reduce((total, tokens) => total + tokens, 0) : undefined;
    };
    const [inputTokens, outputTokens] = [sum('inputTokens'), sum('outputTokens')];
    return {
      ...(inputTokens === undefined ? {} : { inputTokens }),
      ...(outputTokens === undefined ? {} : { outputTokens }),
    };
  }

  /** Returns the changes of the node. Parts of earlier calls are stored as parts, not as text. */
  async patch(files: FileStore, model: string, failure?: unknown): Promise<NodePatch> {
    const { parts } = this.result;
    const side = await sideOf(files, parts);
    const asides = await sideOf(files, this.#before.map(asAside));
    const error = failure === undefined ? [] : [errorPart(failure)];
    const hasMore = asides.parts.length + error.length + side.parts.length > 0;
    const whole: NodePart[] =
      side.parts.length > 0 || side.text === ''
        ? [...side.parts]
        : [{ type: 'text', start: 0, end: side.text.length }];
    return {
      response: side.text,
      model,
      status: statusOf(failure),
      stats: this.#stats(failure),
      responseParts: hasMore ? [...asides.parts, ...whole, ...error] : [],
    };
  }

  #estimate(): Usage {
    const said = [...this.#before, ...this.result.parts].map((part) =>
      part.type === 'text' || part.type === 'reasoning' ? part.text : '',
    );
    const { tokens } = createTokenEstimator().count(said.join('\n'));
    return { inputTokens: this.#promptTokens, outputTokens: tokens };
  }

  /** Tokens, estimated where the model reports none; seconds until the first piece came, and from there to the end; tokens a second. */
  #stats(failure: unknown): { readonly user?: NodeStats; readonly assistant?: NodeStats } {
    const partial = LLMError.isInstance(failure) ? failure.partial?.usage : undefined;
    const told = { ...partial, ...this.usage };
    const hasBegun = failure === undefined || this.#firstAt !== undefined;
    const { inputTokens, outputTokens } = hasBegun ? { ...this.#estimate(), ...told } : told;
    const now = performance.now();
    const first = this.#firstAt ?? now;
    return {
      ...(inputTokens === undefined ? {} : { user: stats(inputTokens, first - this.#startedAt) }),
      ...(outputTokens === undefined ? {} : { assistant: stats(outputTokens, now - first) }),
    };
  }
}

function stats(count: number, ms: number): NodeStats {
  const duration = Math.round(ms) / 1000;
  return { count, duration, rate: duration > 0 ? Math.round((count / duration) * 10) / 10 : 0 };
}

/** Adds the statistics of two calls. */
export function addStats(a: VizNode['stats'], b: VizNode['stats'] = {}): VizNode['stats'] {
  const sum = (one?: NodeStats, other?: NodeStats): NodeStats | undefined =>
    one && other
      ? stats(one.count + other.count, (one.duration + other.duration) * 1000)
      : (other ?? one);
  const [user, assistant] = [sum(a.user, b.user), sum(a.assistant, b.assistant)];
  return { ...(user ? { user } : {}), ...(assistant ? { assistant } : {}) };
}

function statusOf(failure: unknown): NodeStatus {
  if (failure === undefined) return 'done';
  return LLMError.isInstance(failure) && failure.code === 'aborted' ? 'aborted' : 'failed';
}

/** Words that only asked for more are no part of the answer. */
function asAside(part: Part): Part {
  return part.type === 'text' ? { type: 'reasoning', text: part.text } : part;
}

function errorPart(failure: unknown): NodePart {
  const value = LLMError.isInstance(failure)
    ? { code: failure.code, message: failure.message }
    : { code: 'error', message: String(failure) };
  return { type: 'data', kind: 'error', value };
}
