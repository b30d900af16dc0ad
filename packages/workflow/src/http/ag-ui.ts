import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject, isError } from '@vizprompt/providers/internal';
import type { WorkflowEngine } from '../engine/workflow-engine.ts';
import { WorkflowError } from '../errors.ts';
import type { RunEvent } from '../events.ts';
import type { WorkflowRun } from '../runtime/workflow-run.ts';
import {
  type AgUiEvent,
  AgUiEvents,
  type AgUiRun,
  isApproval,
  readInterruptId,
} from './ag-ui-events.ts';
import { frame, streamResponse } from './http-messages.ts';

/** Silence after which a run that waits for persons is interrupted, in milliseconds: other branches may continue. */
const QUIET_MS = 100;

/**
 * Leads a run for a client of the AG-UI protocol. A question of the run ends the AG-UI run with interrupts; the next run
 * of the client, which answers them in `resume`, continues the same run of the workflow.
 *
 * The variable `user_input` is `forwardedProps.input`, or else the text of the last message of the user.
 *
 * @throws WorkflowError with the code `invalid-input`, `not-found` or `conflict`.
 */
export async function serveAgUi(
  engine: WorkflowEngine,
  workflow: string,
  body: JsonValue,
): Promise<Response> {
  const input = readInput(body);
  const leaving = new AbortController();
  let frames: AsyncGenerator<string, void, undefined>;
  try {
    const run = await beginRun(engine, workflow, input, leaving.signal);
    const events = run[Symbol.asyncIterator]();
    if (!input.isAbandoned) {
      for (const { path, value } of input.answers) await engine.answer(run.id, value, { path });
    }
    frames = framesOf(engine, run, events, input);
  } catch (error) {
    leaving.abort();
    throw error;
  }
  return streamResponse(
    untilEnd(frames, () => leaving.abort()),
    {
      onLeave: () => leaving.abort(),
      onError: (error) => {
        const message = isError(error) ? error.message : String(error);
        return frame({ type: 'RUN_ERROR', message, code: 'internal' });
      },
    },
  );
}

/** The fields of a request that are used. */
interface AgUiInput extends AgUiRun {
  readonly userInput: JsonValue;
  /** The run of the workflow that it continues, and answers to its questions. */
  readonly continues: string | undefined;
  readonly answers: readonly { readonly path: string; readonly value: JsonValue }[];
  readonly isAbandoned: boolean;
}

function readInput(body: JsonValue): AgUiInput {
  if (!isJsonObject(body)) throw wrong('the body must be an object');
  const { threadId, runId, messages = [], forwardedProps, resume = [] } = body;
  if (typeof threadId !== 'string' || typeof runId !== 'string') {
    throw wrong("'threadId' and 'runId' must be texts");
  }
  if (!Array.isArray(messages) || !Array.isArray(resume)) {
    throw wrong("'messages' and 'resume' must be lists");
  }
  const given = isJsonObject(forwardedProps) ? forwardedProps['input'] : undefined;
  const entries = resume.map((entry) => readEntry(entry));
  const [first] = entries;
  if (entries.some((entry) => entry.runId !== first?.runId)) {
    throw wrong("'resume' must answer interrupts of one run");
  }
  return {
    threadId,
    runId,
    userInput: given ?? lastUserText(messages),
    continues: first?.runId,
    answers: entries.flatMap(({ path, value }) => (value === undefined ? [] : [{ path, value }])),
    isAbandoned: entries.some(({ value }) => value === undefined),
  };
}

/** An answer to an interrupt; without a value, the client gave it up. */
function readEntry(entry: JsonValue): {
  readonly runId: string;
  readonly path: string;
  readonly value: JsonValue | undefined;
} {
  const { interruptId, status, payload = null }: JsonObject = isJsonObject(entry) ? entry : {};
  const place = typeof interruptId === 'string' ? readInterruptId(interruptId) : undefined;
  if (!place) throw wrong("'resume' must answer interrupts of this agent");
  if (status !== 'cancelled') return { ...place, value: payload };
  const refusal = { approve: false, reason: 'it was not approved' };
  return { ...place, value: isApproval(place.path) ? refusal : undefined };
}

function lastUserText(messages: readonly JsonValue[]): JsonValue {
  for (const message of messages.toReversed()) {
    if (!isJsonObject(message) || message['role'] !== 'user') continue;
    const { content } = message;
    if (typeof content === 'string') return content;
    if (!Array.isArray(content)) return null;
    return content
      .flatMap((part) => {
        const text = isJsonObject(part) && part['type'] === 'text' ? part['text'] : undefined;
        return typeof text === 'string' ? [text] : [];
      })
      .join('\n');
  }
  return null;
}

function wrong(detail: string): WorkflowError {
  return new WorkflowError('invalid-input', `RunAgentInput: ${detail}`);
}

async function beginRun(
  engine: WorkflowEngine,
  workflow: string,
  { continues, isAbandoned, userInput, runId }: AgUiInput,
  signal: AbortSignal,
): Promise<WorkflowRun> {
  // The run itself has its events from the first one on.
  if (continues === undefined) return engine.start(workflow, userInput, { runId });
  // The client writes the id of an interrupt, and may be allowed to use this workflow only.
  if ((await engine.run(continues)).workflow !== workflow) {
    const message = `there is no run '${continues}' of '${workflow}'`;
    throw new WorkflowError('not-found', message, { context: { runId: continues } });
  }
  const run = await engine.attach(continues, { signal });
  if (isAbandoned) await engine.cancel(continues, 'its questions were given up');
  return run;
}

/** Yields all frames, and then releases the listener of the run. */
async function* untilEnd(
  frames: AsyncGenerator<string, void, undefined>,
  end: () => void,
): AsyncGenerator<string, void, undefined> {
  try {
    yield* frames;
  } finally {
    end();
  }
}

async function* framesOf(
  engine: WorkflowEngine,
  run: WorkflowRun,
  events: AsyncGenerator<RunEvent, void, undefined>,
  given: AgUiInput,
): AsyncGenerator<string, void, undefined> {
  const { threadId, runId, answers, continues } = given;
  const answered = answers.map(({ path }) => path);
  // Questions that were asked before are not events any more.
  const { waiting: open } = continues === undefined ? { waiting: [] } : await engine.run(run.id);
  const asked = open.map(({ path }) => path);
  const made = new AgUiEvents({ threadId, runId }, run.id, { answered, asked });
  yield* written(made.started());
  let next = events.next();
  for (;;) {
    const result = made.isWaiting ? await within(next, QUIET_MS) : await next;
    if (result === 'quiet') {
      const { waiting } = await engine.run(run.id);
      if (waiting.length > 0) {
        yield* written(made.interrupted(waiting));
        return;
      }
    }
    const { value, done } = result === 'quiet' ? await next : result;
    if (done || value === undefined) break;
    yield* written(made.of(value));
    next = events.next();
  }
  await run.result.catch(() => undefined);
  yield* written(made.ended(await engine.run(run.id)));
}

function* written(events: readonly AgUiEvent[]): Generator<string, void, undefined> {
  for (const event of events) yield frame(event);
}

async function within<T>(work: Promise<T>, ms: number): Promise<T | 'quiet'> {
  let timer: NodeJS.Timeout | undefined;
  const quiet = new Promise<'quiet'>((resolve) => (timer = setTimeout(resolve, ms, 'quiet')));
  try {
    return await Promise.race([work, quiet]);
  } finally {
    clearTimeout(timer);
  }
}
