import { messageOf } from '../errors.ts';
import type { ChatModel } from '../models/chat-model.ts';
import { addUsage, ChatCollector } from '../models/collect.ts';
import type { InvalidCall } from '../adapter-kit/part-writer.ts';
import { checkArgument } from '../adapter-kit/check-options.ts';
import { readChatInput } from '../adapter-kit/chat-input.ts';
import { isProviderExecuted } from '../adapter-kit/tool-content.ts';
import { having, listOf } from '../input/kinds.ts';
import { fieldsOf } from '../json/fields.ts';
import type { ChatEvent, ChatResult, FinishReason, Usage } from '../models/events.ts';
import { LLMError, withContext } from '../models/llm-error.ts';
import {
  textOf,
  type Message,
  type Part,
  type ToolCallPart,
  type ToolResultPart,
} from '../models/message.ts';
import type { ChatInput, ChatRequest } from '../models/request.ts';
import type { RunnableTool } from './tool.ts';

/** Options of {@link runTools}. */
export interface RunToolsOptions {
  /** How often the model may be asked. Default: 8. */
  readonly maxSteps?: number | undefined;
  /** Hears all that the model says, as it comes; `step` counts from 1. */
  readonly onEvent?: ((event: ChatEvent, step: number) => void) | undefined;
  /**
   * How often in a run a call that the model got wrong (its input is not JSON) is given back to it as an error. Default: 3.
   */
  readonly maxRepairs?: number;
  /** Receives each call that goes back, before the model is asked again. */
  readonly onRepair?: (repair: ToolRepair) => void;
  /**
   * Hears each message that joins the history, as soon as it is known: what tools did is then not lost
   * if a later step fails.
   */
  readonly onMessage?: ((message: Message) => void) | undefined;
}

/** A call that the model got wrong, and that it is asked to make again. */
export interface ToolRepair {
  /** The step in which it was made; counts from 1. */
  readonly step: number;
  /** The number of repairs so far, this one included. */
  readonly repair: number;
  /** The tool; absent where the server did not say which. */
  readonly tool?: string;
  /** The input as the model wrote it; absent where the server did not send it. */
  readonly input?: string;
  readonly error: LLMError;
}

/** The result of a run. */
export interface ToolRun {
  /** The text of the last answer. */
  readonly text: string;
  /**
   * The messages since the request: answers and results of tools, ready to be added to the history.
   */
  readonly messages: readonly Message[];
  /** The answers of the model, one a step. */
  readonly steps: readonly ChatResult[];
  /** The sum of all steps. */
  readonly usage: Usage;
  /**
   * `false`: the steps were used up while the model still called tools, or the last answer is not whole: it was cut off by
   * a limit or a filter.
   */
  readonly isComplete: boolean;
}

const TOOLS = listOf('tools', having('a tool, such as defineTool()', 'describe', 'run'));

/**
 * Lets a model call tools until it has its answer. The calls of one step run side by side. A call of a
 * tool that does not exist, with wrong input, or that throws, becomes a result that says so; so does one whose input is not
 * JSON, with its raw text as the input of the call.
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
  input: ChatInput,
  tools: readonly RunnableTool[],
  { maxSteps = 8, maxRepairs = 3, onEvent, onMessage, onRepair }: RunToolsOptions = {},
): Promise<ToolRun> {
  checkArgument('the tools of runTools', tools, TOOLS);
  const request = readChatInput(input);
  const described = await Promise.all(tools.map((tool) => tool.describe()));
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const steps: ChatResult[] = [];
  const added: Message[] = [];
  const add = (message: Message): void => {
    added.push(message);
    onMessage?.(message);
  };
  let repairs = 0;
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
    const step = steps.length + 1;
    const asking = isForced && steps.length > 0 ? free : asked;
    const answer = await ask(model, asking, onEvent && ((event) => onEvent(event, step))).catch(
      (error: unknown): BrokenAnswer => {
        const broken = repairs < maxRepairs ? brokenAnswer(error) : undefined;
        if (!broken) throw withSpent(error, steps);
        return broken;
      },
    );
    const { result } = answer;
    steps.push(result);
    if ('error' in answer) {
      repairs++;
      const { error, invalid } = answer;
      for (const call of invalid.length > 0 ? invalid : [undefined]) {
        onRepair?.({
          step,
          repair: repairs,
          error,
          ...(call && { tool: call.name, input: call.input }),
        });
      }
      // A call that the server did not pass on leaves nothing to answer: the model is asked again.
      if (invalid.length === 0) continue;
    }
    add({ role: 'assistant', parts: result.parts });
    const calls = openCalls(result.parts);
    if (calls.length === 0) return run(WHOLE.has(result.finishReason));
    const invalid = new Set('error' in answer ? answer.invalid.map(({ id }) => id) : []);
    const running = Promise.all(
      calls.map((call) =>
        invalid.has(call.id)
          ? Promise.resolve(invalidResult(call))
          : runCall(byName, call, request.signal),
      ),
    );
    add({ role: 'tool', parts: await unlessAborted(running, request.signal) });
  }
  return run(false);
}

/** Some providers run tools of their own; their results are in the answer already. */
function openCalls(parts: readonly Part[]): ToolCallPart[] {
  const answered = new Set(parts.flatMap((part) => (part.type === 'tool-result' ? [part.id] : [])));
  return parts.filter((part) => part.type === 'tool-call' && !answered.has(part.id)).filter(isCall);
}

function isCall(part: Part): part is ToolCallPart {
  return part.type === 'tool-call' && !isProviderExecuted(part);
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

/** The cost of earlier steps is reported with the failure of a later one. */
function withSpent(error: unknown, steps: readonly ChatResult[]): unknown {
  if (!LLMError.isInstance(error) || steps.length === 0) return error;
  const usageBefore = addUsage(...steps.map(({ usage }) => usage));
  return withContext(error, { steps: steps.length, usageBefore });
}

/** Ends of an answer that is whole. */
const WHOLE: ReadonlySet<FinishReason> = new Set(['stop', 'tool-calls']);

/** An answer that is whole. */
interface GoodAnswer {
  readonly result: ChatResult;
}

/** An answer with calls that are not JSON. */
interface BrokenAnswer extends GoodAnswer {
  readonly error: LLMError;
  readonly invalid: readonly InvalidCall[];
}

/** Without a listener the pieces are not seen, and the layers of the model may ask again after some have come. */
async function ask(
  model: ChatModel,
  request: ChatRequest,
  onEvent: ((event: ChatEvent) => void) | undefined,
): Promise<GoodAnswer | BrokenAnswer> {
  if (!onEvent) return { result: await model.generate(request) };
  const collector = new ChatCollector();
  for await (const event of model.stream(request)) {
    collector.add(event);
    onEvent(event);
  }
  return { result: collector.result() };
}

/** The answer in an error about its calls: those that are whole, and those that are not JSON with their raw text. */
function brokenAnswer(error: unknown): BrokenAnswer | undefined {
  if (!LLMError.isInstance(error) || error.code !== 'output_parse') return undefined;
  const { parts: whole = [], usage = {}, warnings = [], meta } = error.partial ?? {};
  const listed: unknown = meta?.['vizprompt']?.['invalidCalls'];
  const invalid = (Array.isArray(listed) ? listed : []).filter(isInvalidCall);
  const raw = invalid.map(({ id, name, input, meta: own }): ToolCallPart => {
    const call = { type: 'tool-call', id, name, input } as const;
    return own ? { ...call, meta: own } : call;
  });
  const parts = [...whole, ...raw];
  const result = {
    parts,
    text: textOf(parts),
    finishReason: 'tool-calls',
    usage,
    warnings,
  } as const;
  return { error, invalid, result };
}

function isInvalidCall(value: unknown): value is InvalidCall {
  const { id, name, input } = fieldsOf(value);
  return typeof id === 'string' && typeof name === 'string' && typeof input === 'string';
}

function invalidResult({ id, name, input }: ToolCallPart): ToolResultPart {
  const output = `the input of '${name}' is not valid JSON: ${JSON.stringify(input)}; call it again with valid JSON`;
  return { type: 'tool-result', id, name, output, isError: true };
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
