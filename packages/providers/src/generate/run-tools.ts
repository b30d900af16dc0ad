import type { ChatModel } from '../chat/chat-model.ts';
import { ChatCollector } from '../chat/collect.ts';
import type { ChatEvent, ChatResult, Usage } from '../chat/events.ts';
import { LLMError } from '../chat/llm-error.ts';
import type { Message, ToolCallPart, ToolResultPart } from '../chat/message.ts';
import type { ChatRequest } from '../chat/request.ts';
import { messageOf } from '../errors.ts';
import { addUsage } from './add-usage.ts';
import type { RunnableTool } from './tool.ts';

/** Options of {@link runTools}. */
export interface RunToolsOptions {
  /** How often the model may be asked. Default: 8. */
  readonly maxSteps?: number;
  /** Hears all that the model says, as it comes; `step` counts from 1. */
  readonly onEvent?: (event: ChatEvent, step: number) => void;
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
  { maxSteps = 8, onEvent }: RunToolsOptions = {},
): Promise<ToolRun> {
  const described = await Promise.all(tools.map((tool) => tool.describe()));
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const steps: ChatResult[] = [];
  const added: Message[] = [];
  const run = (isComplete: boolean): ToolRun => ({
    text: steps.at(-1)?.text ?? '',
    messages: added,
    steps,
    usage: addUsage(...steps.map(({ usage }) => usage)),
    isComplete,
  });
  while (steps.length < maxSteps) {
    const asked = { ...request, messages: [...request.messages, ...added], tools: described };
    const result = await collect(model.stream(asked), (event) =>
      onEvent?.(event, steps.length + 1),
    );
    steps.push(result);
    added.push({ role: 'assistant', parts: result.parts });
    const calls = result.parts.filter((part) => part.type === 'tool-call');
    if (calls.length === 0) return run(true);
    const results = await Promise.all(calls.map((call) => runCall(byName, call, request.signal)));
    if (request.signal?.aborted) {
      throw new LLMError('aborted', 'the run was aborted', { cause: request.signal.reason });
    }
    added.push({ role: 'tool', parts: results });
  }
  return run(false);
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
