import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ChatRequest, JsonValue, LLMError } from '@vizprompt/providers';
import type { WorkflowEngineOptions } from '@vizprompt/workflow';
import type { WorkerOptions } from '@vizprompt/workflow/dbos';

const child = fileURLToPath(new URL('../../children/dbos-worker.mjs', import.meta.url));

/** The functions of a worker's parent: all of this is called here, by messages. */
export type Given = Pick<
  WorkflowEngineOptions,
  'models' | 'functions' | 'tools' | 'retrievers' | 'activities'
>;

interface Call {
  readonly id: number;
  readonly kind: string;
  readonly name: string;
  readonly input: never;
  readonly context: never;
}

type Message = { readonly call?: Call; readonly abort?: number } & Record<string, unknown>;

/** A worker in a process of its own. */
export class RemoteWorker {
  readonly process: ChildProcess;
  /** The id under which DBOS knows it. */
  id = '';
  isOpen = false;
  #given: Given = {};
  /** The argument it was opened with. */
  #opened = '';
  readonly #aborts = new Map<number, AbortController>();

  constructor() {
    this.process = fork(child, { execArgv: ['--no-deprecation'] });
    this.process.on('message', (message: Message) => {
      if (message.call) void this.#serve(message.call);
      if (message.abort !== undefined) this.#aborts.get(message.abort)?.abort();
    });
  }

  /** Opens the worker; one that was opened with the same is only given other models and functions. */
  async open(options: WorkerOptions, given: Given): Promise<void> {
    this.#given = given;
    const { models = {}, functions = {}, tools = [], retrievers = {}, activities = [] } = given;
    const facts = Object.entries(models).map(
      ([name, { provider, modelId, capabilities }]) =>
        [name, { provider, modelId, capabilities }] as const,
    );
    const open = {
      ...options,
      models: Object.fromEntries(facts),
      functions: Object.keys(functions),
      tools: tools.map(({ name }) => name),
      retrievers: Object.keys(retrievers),
      activities: activities.map(({ run: _, ...rest }) => rest),
    };
    const key = JSON.stringify(open);
    if (this.isOpen && key === this.#opened && tools.length === 0) return;
    await this.close();
    this.#opened = key;
    this.#send({ open });
    const { opened, failed } = await this.#next('opened', 'failed');
    if (failed) throw new Error(JSON.stringify(failed));
    this.id = String(opened);
    this.isOpen = true;
  }

  async close(): Promise<void> {
    if (!this.isOpen || !this.process.connected) return;
    this.#send({ close: true });
    await this.#next('closed');
    this.isOpen = false;
  }

  /** Ends the process with a signal. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const exited = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.kill(signal);
    await exited;
  }

  /** Sends a message; a killed worker is still connected for a moment, and its exit reports that. */
  #send(message: object): void {
    this.process.send(message, () => undefined);
  }

  #next(...names: readonly string[]): Promise<Message> {
    return new Promise((resolve, reject) => {
      const onMessage = (message: Message): void => {
        if (!names.some((name) => name in message)) return;
        this.process.off('message', onMessage);
        this.process.off('exit', onExit);
        resolve(message);
      };
      const onExit = (): void => reject(new Error('the worker is gone'));
      this.process.on('message', onMessage);
      this.process.once('exit', onExit);
    });
  }

  async #serve(call: Call): Promise<void> {
    const { id } = call;
    const abort = new AbortController();
    this.#aborts.set(id, abort);
    const answer = (message: object): void => {
      if (this.process.connected) this.#send({ id, ...message });
    };
    try {
      const value = await this.#do(call, abort.signal, (event) => answer({ event }));
      answer({ value: value ?? null });
    } catch (error) {
      answer({ error: sent(error) });
    } finally {
      this.#aborts.delete(id);
    }
  }

  async #do(
    { kind, name, input, context }: Call,
    signal: AbortSignal,
    onEvent: (event: unknown) => void,
  ): Promise<unknown> {
    const { models, functions = {}, tools = [], retrievers = {}, activities = [] } = this.#given;
    if (kind === 'model') {
      const model = (models as Record<string, { stream(r: ChatRequest): AsyncIterable<unknown> }>)[
        name
      ];
      const request = input as ChatRequest;
      for await (const event of model?.stream({ ...request, signal }) ?? []) onEvent(event);
      return null;
    }
    const more = { ...(context as object), signal } as never;
    if (kind === 'function') return functions[name]?.(input, more);
    if (kind === 'describe') return tools.find((tool) => tool.name === name)?.describe();
    if (kind === 'tool') return tools.find((tool) => tool.name === name)?.run(input, more);
    if (kind === 'retriever') return retrievers[name]?.retrieve(input, more);
    const emit = (event: string, payload: JsonValue): void => onEvent({ name: event, payload });
    return activities
      .find((activity) => activity.name === name)
      ?.run(input, { ...(more as object), emit } as never);
  }
}

function sent(error: unknown): object {
  const { name, message, code } = error as LLMError;
  const { retryAfterMs, isRetryable, status, outputStarted } = error as LLMError;
  return { name, message, code, details: { retryAfterMs, isRetryable, status, outputStarted } };
}
