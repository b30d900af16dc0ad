import type { JsonValue } from '@vizprompt/providers';
import type { RunEvent } from '../events.ts';
import type { OpenQuestion, RunState } from '../engine/view-run.ts';

/** An event of the AG-UI protocol. */
export interface AgUiEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The version of the protocol, https://docs.ag-ui.com. */
const PROTOCOL_VERSION = '1.0';

/** The ids that an AG-UI client gives its run. */
export interface AgUiRun {
  readonly threadId: string;
  readonly runId: string;
}

/**
 * Turns the events of a run into those of the AG-UI protocol: steps, messages of agents, thoughts, calls of tools, and
 * questions as interrupts. All that it began is ended before the run is.
 */
export class AgUiEvents {
  readonly #run: AgUiRun;
  readonly #workflowRun: string;
  readonly #steps = new Set<string>();
  readonly #tools = new Set<string>();
  /** Messages that are open, by path and kind. */
  readonly #messages = new Map<
    string,
    { readonly id: string; readonly kind: 'text' | 'reasoning' }
  >();
  readonly #questions: Set<string>;
  #count = 0;

  /**
   * @param questions - Paths of the questions that the client has answered, whose calls are known to it, and of those that
   * were asked before and are open.
   */
  constructor(
    run: AgUiRun,
    workflowRun: string,
    {
      answered,
      asked,
    }: { readonly answered: readonly string[]; readonly asked: readonly string[] },
  ) {
    this.#run = run;
    this.#workflowRun = workflowRun;
    this.#questions = new Set(asked);
    for (const path of answered) {
      const tool = toolOf(path);
      if (tool !== undefined) this.#tools.add(tool);
    }
  }

  started(): readonly AgUiEvent[] {
    return [{ type: 'RUN_STARTED', ...this.#run, protocolVersion: PROTOCOL_VERSION }];
  }

  /** Checks whether all pending work waits for persons. */
  get isWaiting(): boolean {
    if (this.#questions.size === 0) return false;
    return [...this.#steps, ...this.#tools].every((path) =>
      [...this.#questions].some((question) => isWithin(question, path)),
    );
  }

  of(event: RunEvent): readonly AgUiEvent[] {
    switch (event.type) {
      case 'step:started':
        return this.#begin(event.path);
      case 'step:delta':
        return this.#delta(event.path, event.kind, event.text);
      case 'step:retried':
      case 'step:fell-back':
        return this.#endMessages(event.path);
      case 'step:ended':
        return [...this.#begin(event.path), ...this.#end(event.path)];
      case 'step:failed':
        return [...this.#begin(event.path), ...this.#end(event.path), custom(event)];
      case 'tool:started':
        return this.#callTool(event.path, event.stepId, event.tool, event.input);
      case 'tool:ended':
        return [
          ...this.#callTool(event.path, event.stepId, event.tool, null),
          ...this.#toolResult(event.path, event.output),
        ];
      case 'step:waiting':
        this.#questions.add(event.path);
        return [custom(event)];
      case 'step:answered':
        this.#questions.delete(event.path);
        return [custom(event)];
      case 'step:skipped':
      case 'step:exhausted':
      case 'step:handed-over':
      case 'step:emitted':
        return [custom(event)];
      default:
        return [];
    }
  }

  /** The run stops here until persons have answered. */
  interrupted(questions: readonly OpenQuestion[]): readonly AgUiEvent[] {
    const interrupts = questions.map(({ path, question, schema, until }) => ({
      id: interruptId(this.#workflowRun, path),
      reason: toolOf(path) === undefined ? 'input_required' : 'tool_approval',
      message: question,
      ...(toolOf(path) === undefined ? {} : { toolCallId: this.#toolCallId(toolOf(path) ?? '') }),
      ...(schema ? { responseSchema: schema } : {}),
      ...(until === undefined ? {} : { expiresAt: until }),
    }));
    const outcome = { type: 'interrupt', interrupts };
    return [...this.#endAll(), { type: 'RUN_FINISHED', ...this.#run, outcome }];
  }

  /** The run has ended. */
  ended({ status, output = null, error, variables }: RunState): readonly AgUiEvent[] {
    const ends = this.#endAll();
    if (status === 'failed') {
      const { message = 'the run failed', code = 'failed' } = error ?? {};
      return [...ends, { type: 'RUN_ERROR', message, code }];
    }
    const state = { type: 'STATE_SNAPSHOT', snapshot: variables };
    const outcome = { type: status === 'cancelled' ? 'cancelled' : 'success' };
    const finished = { type: 'RUN_FINISHED', ...this.#run, outcome };
    return [...ends, state, status === 'done' ? { ...finished, result: output } : finished];
  }

  #begin(path: string): readonly AgUiEvent[] {
    if (this.#steps.has(path)) return [];
    this.#steps.add(path);
    return [{ type: 'STEP_STARTED', stepName: path }];
  }

  #end(path: string): readonly AgUiEvent[] {
    const messages = this.#endMessages(path);
    this.#steps.delete(path);
    return [...messages, { type: 'STEP_FINISHED', stepName: path }];
  }

  #delta(path: string, kind: 'text' | 'reasoning', delta: string): readonly AgUiEvent[] {
    if (delta === '') return [];
    const other = kind === 'text' ? 'reasoning' : 'text';
    const events: AgUiEvent[] = [...this.#endMessage(path, other)];
    let message = this.#messages.get(`${kind} ${path}`);
    if (!message) {
      message = { id: `${this.#workflowRun}/${path}/${++this.#count}`, kind };
      this.#messages.set(`${kind} ${path}`, message);
      const { id: messageId } = message;
      if (kind === 'reasoning') events.push({ type: 'REASONING_START', messageId });
      events.push({ type: typeOf(kind, 'START'), messageId, role: ROLES[kind] });
    }
    events.push({ type: typeOf(kind, 'CONTENT'), messageId: message.id, delta });
    return events;
  }

  #endMessages(path: string): readonly AgUiEvent[] {
    return [...this.#endMessage(path, 'reasoning'), ...this.#endMessage(path, 'text')];
  }

  #endMessage(path: string, kind: 'text' | 'reasoning'): readonly AgUiEvent[] {
    const message = this.#messages.get(`${kind} ${path}`);
    if (!message) return [];
    this.#messages.delete(`${kind} ${path}`);
    const { id: messageId } = message;
    const end = { type: typeOf(kind, 'END'), messageId };
    return kind === 'text' ? [end] : [end, { type: 'REASONING_END', messageId }];
  }

  #callTool(
    path: string,
    step: string,
    toolCallName: string,
    input: JsonValue,
  ): readonly AgUiEvent[] {
    if (this.#tools.has(path)) return [];
    this.#tools.add(path);
    const toolCallId = this.#toolCallId(path);
    // The text of an agent before a call of a tool is a message of its own.
    return [
      ...this.#endMessages(path.slice(0, path.lastIndexOf(':'))),
      { type: 'TOOL_CALL_START', toolCallId, toolCallName },
      { type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify(input) },
      { type: 'TOOL_CALL_END', toolCallId, metadata: { step } },
    ];
  }

  #toolResult(path: string, output: JsonValue): readonly AgUiEvent[] {
    this.#tools.delete(path);
    const toolCallId = this.#toolCallId(path);
    const content = typeof output === 'string' ? output : JSON.stringify(output);
    const messageId = `${toolCallId}/result`;
    return [{ type: 'TOOL_CALL_RESULT', messageId, toolCallId, content, role: 'tool' }];
  }

  #toolCallId(path: string): string {
    return `${this.#workflowRun}/${path}`;
  }

  #endAll(): readonly AgUiEvent[] {
    const paths = new Set([...this.#messages.keys()].map((key) => key.slice(key.indexOf(' ') + 1)));
    const messages = [...paths].flatMap((path) => this.#endMessages(path));
    const steps = [...this.#steps].map((path) => ({ type: 'STEP_FINISHED', stepName: path }));
    this.#steps.clear();
    return [...messages, ...steps];
  }
}

const ROLES = { text: 'assistant', reasoning: 'reasoning' } as const;

function typeOf(kind: 'text' | 'reasoning', part: 'START' | 'CONTENT' | 'END'): string {
  return `${kind === 'text' ? 'TEXT' : 'REASONING'}_MESSAGE_${part}`;
}

/** Checks whether a path is another one or below it: `a#10` is not below `a#1`. */
function isWithin(path: string, other: string): boolean {
  return path === other || path.startsWith(`${other}/`) || path.startsWith(`${other}:`);
}

function custom({ type, ...value }: RunEvent): AgUiEvent {
  return { type: 'CUSTOM', name: `vizprompt:${type}`, value };
}

/** The path of the call that a person is asked to approve. */
function toolOf(path: string): string | undefined {
  return /^(.*:tool\d+\.\d+):approve$/s.exec(path)?.[1];
}

/** Returns the id of an interrupt: the run, and where it asks. */
function interruptId(runId: string, path: string): string {
  return JSON.stringify([runId, path]);
}

/** Reads the id of an interrupt; `undefined` for what is none of ours. */
export function readInterruptId(
  id: string,
): { readonly runId: string; readonly path: string } | undefined {
  try {
    const [runId, path]: unknown[] = Array.from(Object(JSON.parse(id)));
    return typeof runId === 'string' && typeof path === 'string' ? { runId, path } : undefined;
  } catch {
    return undefined;
  }
}

/** Checks whether a question is about a call of a tool. */
export function isApproval(path: string): boolean {
  return toolOf(path) !== undefined;
}
