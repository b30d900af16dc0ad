import { messageOf } from '../errors.ts';
import { addUsage } from '../models/add-usage.ts';
import type { ChatModel } from '../models/chat-model.ts';
import { ChatCollector } from '../models/collect.ts';
import type { ChatEvent, ChatResult, Usage } from '../models/events.ts';
import { LLMError, withContext } from '../models/llm-error.ts';
import type { Message, Part, ToolCallPart, ToolResultPart } from '../models/message.ts';
import type { ChatRequest } from '../models/request.ts';
import type { RunnableTool } from './tool.ts';

/** Options of {@link runTools}. */
export interface RunToolsOptions {
  /** How often the model may be asked. Default: 8. */
  readonly maxSteps?: number | undefined;
  /** Hears all that the model says, as it comes; `step` counts from 1. */
  readonly onEvent?: ((event: ChatEvent, step: number) => void) | undefined;
  /**
   * Hears each message that joins the history, as soon as it is known: what tools did is then not lost
   * if a later step fails.
   */
  readonly onMessage?: ((message: Message) => void) | undefined;
}

/** What came of a run. */
export interface ToolRun {
  /** The text of the last answer. */
  readonly text: string;
  /**
   * What was said since the request: answers and results of tools, ready to be added to the history.
   */
  readonly messages: readonly Message[];
  /** The answers of the model, one a step. */
  readonly steps: readonly ChatResult[];
  /** Of all steps together. */
  readonly usage: Usage;
  /** `false`: the steps were used up while the model still called tools. */
  readonly isComplete: boolean;
}

/**
 * Lets a model call tools until it has its answer. The calls of one step run side by side. A call of a
 * tool that does not exist, with wrong input, or that throws, becomes a result that says so.
 *
 * @throws LLMError from the model, or with the code `aborted`.
 *
 * @example
 * ```ts
 * const { text } = await runTools(model, { messages: [textMessage('user', '京都の天気は？')] }, [weather]);
 * ```
 */
export async function runTools(
  model: ChatModel,
  request: ChatRequest,
  tools: readonly RunnableTool[],
  { maxSteps = 8, onEvent, onMessage }: RunToolsOptions = {},
): Promise<ToolRun> {
  const described = await Promise.all(tools.map((tool) => tool.describe()));
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const steps: ChatResult[] = [];
  const added: Message[] = [];
  const add = (message: Message): void => {
    added.push(message);
    onMessage?.(message);
  };
  const run = (isComplete: boolean): ToolRun => ({
    text: steps.at(-1)?.text ?? '',
    messages: added,
    steps,
    usage: addUsage(...steps.map(({ usage }) => usage)),
    isComplete,
  });
  while (steps.length < maxSteps) {
    const asked = { ...request, messages: [...request.messages, ...added], tools: described };
    // A tool that must be called would be called for ever.
    const { toolChoice: _, ...free } = asked;
    const isForced = typeof request.toolChoice === 'object' || request.toolChoice === 'required';
    const stream = model.stream(isForced && steps.length > 0 ? free : asked);
    const result = await collect(stream, (event) => onEvent?.(event, steps.length + 1)).catch(
      (error: unknown) => {
        throw withSpent(error, steps);
      },
    );
    steps.push(result);
    add({ role: 'assistant', parts: result.parts });
    const calls = openCalls(result.parts);
    if (calls.length === 0) return run(true);
    const running = Promise.all(calls.map((call) => runCall(byName, call, request.signal)));
    add({ role: 'tool', parts: await unlessAborted(running, request.signal) });
  }
  return run(false);
}

/** Some providers run tools of their own; their results stand in the answer already. */
function openCalls(parts: readonly Part[]): ToolCallPart[] {
  const answered = new Set(parts.flatMap((part) => (part.type === 'tool-result' ? [part.id] : [])));
  return parts.filter((part) => part.type === 'tool-call' && !answered.has(part.id)).filter(isCall);
}

function isCall(part: Part): part is ToolCallPart {
  return (
    part.type === 'tool-call' &&
    Object.values(part.meta ?? {}).every((own) => own['providerExecuted'] !== true)
  );
}

/** The caller does not wait for a tool that hears no signal. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new LLMError('aborted', 'the run was aborted', { cause: signal.reason }));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });
  aborted.catch(() => undefined);
  work.catch(() => undefined);
  try {
    const result = await Promise.race([work, aborted]);
    if (signal.aborted) await aborted;
    return result;
  } finally {
    if (stop) signal.removeEventListener('abort', stop);
  }
}

/** What earlier steps cost is told with the failure of a later one. */
function withSpent(error: unknown, steps: readonly ChatResult[]): unknown {
  if (!LLMError.isInstance(error) || steps.length === 0) return error;
  const usageBefore = addUsage(...steps.map(({ usage }) => usage));
  return withContext(error, { steps: steps.length, usageBefore });
}

async function collect(
  stream: AsyncIterable<ChatEvent>,
  onEvent: (event: ChatEvent) => void,
): Promise<ChatResult> {
  const collector = new ChatCollector();
  for await (const event of stream) {
    collector.add(event);
    onEvent(event);
  }
  return collector.result();
}

async function runCall(
  tools: ReadonlyMap<string, RunnableTool>,
  { id, name, input }: ToolCallPart,
  signal: AbortSignal | undefined,
): Promise<ToolResultPart> {
  try {
    const tool = tools.get(name);
    if (!tool)
      throw new Error(`there is no tool '${name}'; there are: ${[...tools.keys()].join(', ')}`);
    const output = await tool.run(input, signal ? { id, signal } : { id });
    return { type: 'tool-result', id, name, output };
  } catch (error) {
    return { type: 'tool-result', id, name, output: messageOf(error), isError: true };
  }
}
