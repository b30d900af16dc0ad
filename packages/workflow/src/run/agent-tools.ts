import type {
  JsonObject,
  JsonValue,
  Message,
  Part,
  Retriever,
  Tool,
  ToolCallPart,
} from '@vizprompt/providers';
import { messageOf } from '@vizprompt/providers';
import type { RunnableTool } from '@vizprompt/providers/generate';
import type { askAgent } from '../calls/ask-agent.ts';
import { unlessAborted, withinTime } from '../calls/time-limit.ts';
import type { AgentCall, AgentTool } from '../definition/agent-call.ts';
import type { Timeout } from '../definition/policies.ts';
import { readToolReference } from '../definition/walk-steps.ts';
import { isFatal, reasonOf, WorkflowError } from '../errors.ts';
import { holds } from '../language/condition.ts';
import {
  equipment,
  type ExecutionContext,
  namedRules,
  type Place,
  type RunServices,
  toJson,
  workflowNamed,
} from './execution-context.ts';
import { toQuestion } from './waiting-steps.ts';

type Asked = Awaited<ReturnType<typeof askAgent>>;

/** Asks the model of the agent, with what was said since its prompt. */
export type AskModel = (
  signal: AbortSignal,
  round?: Pick<Parameters<typeof askAgent>[0], 'history' | 'tools'>,
) => Promise<Asked>;

/** Rounds of an agent that says nothing else. */
const MAX_ROUNDS = 8;

/** Schema of the answer of a person who is asked to approve a call. */
const APPROVAL: JsonObject = {
  anyOf: [
    { type: 'boolean' },
    {
      type: 'object',
      properties: { approve: { type: 'boolean' }, reason: { type: 'string' } },
      required: ['approve'],
    },
  ],
};

/** Tools that a step gives its agents besides their own, and what becomes of their calls. */
export interface StepTools {
  readonly offered: readonly OfferedTool[];
  /** Receives a call that succeeded, now or before a resume; returns whether the turn of the agent ends with it. */
  receive(tool: string, input: JsonValue): boolean;
  /** Makes the output of the turn of its answer, or of what it said as it ended its turn. */
  output(answer: JsonValue): JsonValue;
}

/** The calls of tools by an agent, each once in the life of the run: answers and results are in the journal. */
export class AgentTools {
  /** The final answer of the agent. */
  answer: Asked | undefined;
  readonly #context: ExecutionContext;
  readonly #place: Place;
  readonly #call: AgentCall;
  readonly #own: StepTools | undefined;
  readonly #calls = new Map<string, number>();
  #offered: Promise<readonly OfferedTool[]> | undefined;

  constructor(context: ExecutionContext, place: Place, call: AgentCall, own?: StepTools) {
    this.#own = own;
    this.#context = context;
    this.#place = place;
    this.#call = call;
  }

  /**
   * Lets the agent call tools until it answers.
   *
   * @throws WorkflowError with the code `exhausted` if it calls tools in all its rounds; what its model throws.
   */
  async converse(ask: AskModel): Promise<void> {
    const { maxToolRounds = MAX_ROUNDS } = this.#call;
    const history: Message[] = [];
    for (let round = 1; round <= maxToolRounds + 1; round++) {
      const answer = await this.#ask(ask, round, history);
      if (!answer.calls) {
        // The journal has the cost of each answer with that answer.
        const { model, finishReason } = answer;
        const output = this.#own ? this.#own.output(answer.output) : answer.output;
        this.answer = { output, model, usage: {}, ...(finishReason ? { finishReason } : {}) };
        return;
      }
      if (round > maxToolRounds) break;
      const { calls } = answer;
      const results = await Promise.all(
        openCalls(calls).map((call, at) => this.#run(call, `${round}.${at}`)),
      );
      if (this.#own && isOver(this.#own, calls, results)) {
        const output = this.#own.output(textOf(calls));
        this.answer = { output, model: answer.model, usage: {} };
        return;
      }
      history.push({ role: 'assistant', parts: calls }, { role: 'tool', parts: results });
    }
    throw new WorkflowError(
      'exhausted',
      `the agent '${this.#call.agent_id}' called tools in each of ${maxToolRounds} answers and did not come to an end: raise maxToolRounds`,
      { context: { path: this.#place.path, rounds: maxToolRounds } },
    );
  }

  async #ask(ask: AskModel, round: number, history: readonly Message[]): Promise<Asked> {
    const { scope, services } = this.#context;
    const { name, stepId, type } = this.#place;
    const { output } = await scope.step(`${name}:round${round}`, async ({ signal }) => {
      const rest = services.clock.work();
      try {
        if (signal.aborted) throw reasonOf(signal);
        const offered = await unlessAborted(this.#tools(), signal);
        const tools = offered.map(({ described }) => described);
        const { usage, costUsd, ...answer } = await ask(signal, { history, tools });
        const spent = { usage, ...(costUsd === undefined ? {} : { costUsd }) };
        const meta = { stepId, type, isInner: true, ...plain({ ...spent, model: answer.model }) };
        return { output: plain(answer), meta };
      } finally {
        rest();
      }
    });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written above
    return output as unknown as Asked;
  }

  /** Calls a tool, unless the journal has its result. The model receives what the tool throws. */
  async #run({ id, name: called, input }: ToolCallPart, number: string): Promise<Part> {
    const { scope, services } = this.#context;
    const { stepId, type, name: own, path: step } = this.#place;
    const name = `${own}:tool${number}`;
    const path = `${step}:tool${number}`;
    const place = { path, stepId, tool: called };
    const count = (this.#calls.get(called) ?? 0) + 1;
    this.#calls.set(called, count);
    const known = scope.known?.(name);
    if (!known) services.tell('tool:started', { ...place, input });
    let given: { readonly output: JsonValue; readonly isError: boolean } | undefined;
    if (!known) given = await this.#outside(called, input, count, { name, path });
    const done = await scope.step(name, async ({ signal }) => {
      const rest = services.clock.work();
      try {
        const result = given ?? (await this.#inside(called, input, path, signal));
        return {
          output: { tool: called, input, ...result },
          meta: { stepId, type, isInner: true, tool: called },
        };
      } finally {
        rest();
      }
    });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written above
    const { output, isError } = done.output as { output: JsonValue; isError: boolean };
    services.tell('tool:ended', { ...place, output, isError, isReplayed: done.isReplayed });
    const result = { type: 'tool-result', id, name: called, output } as const;
    return isError ? { ...result, isError } : result;
  }

  /** Does what a call needs of the run itself: limits, the approval of a person, another workflow. */
  async #outside(
    called: string,
    input: JsonValue,
    count: number,
    { name, path }: { readonly name: string; readonly path: string },
  ): Promise<{ readonly output: JsonValue; readonly isError: boolean } | undefined> {
    const offering = unlessAborted(this.#tools(), this.#context.scope.signal);
    const tool = (await offering).find(({ described }) => described.name === called);
    if (!tool) return undefined;
    const { maxCalls = Infinity, approve = 'never' } = tool.rules;
    if (count > maxCalls) {
      return failed(
        `'${called}' may be called ${maxCalls} times at most: answer with what you have`,
      );
    }
    const mustAsk =
      typeof approve === 'object'
        ? holds(approve.when, { tool: called, input })
        : approve === 'always';
    if (mustAsk) {
      const refusal = await this.#approval(called, input, { name, path });
      if (refusal !== undefined) return failed(refusal);
    }
    if (tool.workflow === undefined) return undefined;
    const { scope, follows, forks } = this.#context;
    const task = toJson({
      kind: 'flow',
      workflow: tool.workflow,
      input: flowInput(input),
      follows,
      forks,
    });
    try {
      return { output: await scope.child(name, task), isError: false };
    } catch (error) {
      if (isFatal(error) || scope.signal.aborted) throw error;
      return failed(messageOf(error));
    }
  }

  /** Asks a person; returns why the call is refused, if it is. */
  async #approval(
    tool: string,
    input: JsonValue,
    { name, path }: { readonly name: string; readonly path: string },
  ): Promise<string | undefined> {
    const { scope, services } = this.#context;
    const { stepId } = this.#place;
    const own = `${path}:approve`;
    const question = `May '${this.#call.agent_id}' call ${tool} with ${JSON.stringify(input)}?`;
    const rest = services.clock.ask();
    try {
      const isKnown = scope.known?.(`${name}:approve`) !== undefined;
      const value = await scope.waitFor(`${name}:approve`, toQuestion(stepId, question, APPROVAL), {
        asked: () => services.tell('step:waiting', { path: own, stepId, question }),
      });
      if (!isKnown) services.tell('step:answered', { path: own, stepId, value });
      if (value === true) return undefined;
      const { approve, reason }: { approve?: unknown; reason?: unknown } = Object(value);
      if (approve === true) return undefined;
      return `a person refused this call${typeof reason === 'string' ? `: ${reason}` : ''}`;
    } finally {
      rest();
    }
  }

  async #inside(
    called: string,
    input: JsonValue,
    path: string,
    signal: AbortSignal,
  ): Promise<{ readonly output: JsonValue; readonly isError: boolean }> {
    const { services } = this.#context;
    const offered = await unlessAborted(this.#tools(), signal);
    const tool = offered.find(({ described }) => described.name === called);
    if (!tool?.run) {
      const names = offered.map(({ described }) => described.name).join(', ');
      return failed(`there is no tool '${called}'; there are: ${names}`);
    }
    const { run } = tool;
    const timeout = timesOf(tool.timeout);
    try {
      const id = `${services.runId}/${path}`;
      const output = await withinTime(timeout, signal, async (attempt) =>
        run(input, { id, signal: attempt.signal }),
      );
      return { output, isError: false };
    } catch (error) {
      if (signal.aborted) throw reasonOf(signal);
      if (isFatal(error)) throw error;
      return failed(messageOf(error));
    }
  }

  #tools(): Promise<readonly OfferedTool[]> {
    this.#offered ??= offerTools(this.#context.services, this.#call, this.#own?.offered);
    return this.#offered;
  }
}

/** The whole time of a call is that of its only attempt. */
function timesOf(timeout: Timeout | undefined): Timeout | undefined {
  const attempt = timeout?.total ?? timeout?.attempt;
  return timeout && { ...timeout, ...(attempt === undefined ? {} : { attempt }) };
}

function failed(output: string): { readonly output: JsonValue; readonly isError: boolean } {
  return { output, isError: true };
}

/** Passes calls that succeeded to the step; returns whether the turn is over. */
function isOver(own: StepTools, calls: readonly Part[], results: readonly Part[]): boolean {
  let isEnded = false;
  for (const [at, { name, input }] of openCalls(calls).entries()) {
    const result = results[at];
    const hasFailed = result?.type === 'tool-result' && result.isError === true;
    if (!hasFailed && own.receive(name, input)) isEnded = true;
  }
  return isEnded;
}

function textOf(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}

function openCalls(parts: readonly Part[]): readonly ToolCallPart[] {
  const answered = new Set(parts.flatMap((part) => (part.type === 'tool-result' ? [part.id] : [])));
  return parts.filter((part) => part.type === 'tool-call').filter(({ id }) => !answered.has(id));
}

/** Returns a workflow without an object as input is called with `{ input }`. */
function flowInput(input: JsonValue): JsonValue {
  const { input: only, ...others }: { readonly [key: string]: JsonValue } = Object(input);
  return only !== undefined && Object.keys(others).length === 0 ? only : input;
}

function plain(value: object): JsonObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is plain, but for fields that are undefined
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}

/** A tool as an agent is offered it. */
export interface OfferedTool {
  readonly described: Tool;
  readonly rules: AgentTool;
  readonly timeout: Timeout | undefined;
  /** Absent for workflows, which the run itself leads. */
  readonly run?: RunnableTool['run'];
  readonly workflow?: string;
}

type Made = Omit<OfferedTool, 'rules' | 'timeout'>;

/** The tools of an agent, after those of its step, under names that are safe for every provider and unique. */
async function offerTools(
  services: RunServices,
  { tools = [] }: AgentCall,
  own: readonly OfferedTool[] = [],
): Promise<readonly OfferedTool[]> {
  const { timeouts } = services.definition.use;
  const taken = new Set(own.map(({ described }) => described.name));
  const offered: OfferedTool[] = [...own];
  for (const given of tools) {
    const rules = typeof given === 'string' ? { tool: given } : given;
    const timeout = namedRules('timeouts', timeouts, rules.timeout);
    for (const made of await toolsOf(services, rules.tool)) {
      const name = freeName(made.described.name, taken);
      taken.add(name);
      offered.push({ ...made, described: { ...made.described, name }, rules, timeout });
    }
  }
  return offered;
}

async function toolsOf(services: RunServices, text: string): Promise<readonly Made[]> {
  const { engine, definition, runId } = services;
  const reference = readToolReference(text);
  const { name } = reference;
  switch (reference.kind) {
    case 'engine':
      return [await ofRunnable(equipment('tool', engine.tools, name), name)];
    case 'retriever':
      return [ofRetriever(name, equipment('retriever', engine.retrievers, name), runId)];
    case 'flow':
      return [ofWorkflow(name, workflowNamed(definition, name))];
    default: {
      const server = definition.use.mcpServers?.[name];
      if (!server) throw missing(`there is no '${name}' in use.mcpServers`, name);
      const all = await engine.mcp.tools(name, server);
      const { tool } = reference;
      const chosen = tool === undefined ? all : all.filter((one) => one.name === tool);
      if (chosen.length === 0) {
        const names = all.map((one) => one.name).join(', ') || 'none';
        throw missing(`the server '${name}' has no tool '${tool ?? '*'}'; it has: ${names}`, name);
      }
      return Promise.all(chosen.map((one) => ofRunnable(one.tool, `${name}_${one.name}`)));
    }
  }
}

function missing(message: string, server: string): WorkflowError {
  return new WorkflowError('not-found', message, { context: { server } });
}

async function ofRunnable(tool: RunnableTool, name: string): Promise<Made> {
  const described = await tool.describe();
  return { described: { ...described, name }, run: (input, context) => tool.run(input, context) };
}

function ofRetriever(name: string, retriever: Retriever, conversation: string): Made {
  return {
    described: {
      name: `retrieve_${name}`,
      description: `Looks passages up in '${name}'`,
      parameters: {
        type: 'object',
        properties: {
          query: { type: 'string', description: 'In natural language or keywords' },
          limit: { type: 'integer', minimum: 1, description: 'Passages at most' },
        },
        required: ['query'],
      },
    },
    async run(input, { signal }) {
      const { query, limit = 5 }: { query?: unknown; limit?: unknown } = Object(input);
      if (typeof query !== 'string' || query.trim() === '') {
        throw new TypeError("wrong input: 'query' must be a string");
      }
      const most = Number.isInteger(limit) && Number(limit) > 0 ? Number(limit) : 5;
      const options = { limit: most, k: most, conversation, ...(signal ? { signal } : {}) };
      const passages = await retriever.retrieve(query, options);
      const json: JsonValue = JSON.parse(JSON.stringify(passages));
      return json;
    },
  };
}

function ofWorkflow(
  name: string,
  { description, inputs }: { readonly description?: string; readonly inputs?: JsonObject },
): Made {
  const isObject = inputs?.['type'] === 'object';
  return {
    workflow: name,
    described: {
      name: `flow_${name}`,
      description: description ?? `Runs the workflow '${name}'`,
      parameters: isObject
        ? inputs
        : { type: 'object', properties: { input: inputs ?? {} }, required: ['input'] },
    },
  };
}

/** Characters that providers take in the names of tools, and how many. */
const UNSAFE = /[^\w-]/g;
const MAX_NAME = 64;

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  const safe = wanted.replaceAll(UNSAFE, '_').slice(0, MAX_NAME) || 'tool';
  for (let number = 2, name = safe; ; number++) {
    if (!taken.has(name)) return name;
    const suffix = `_${number}`;
    name = safe.slice(0, MAX_NAME - suffix.length) + suffix;
  }
}
