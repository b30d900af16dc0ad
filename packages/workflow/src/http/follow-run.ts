import { toErrorJson } from '../errors.ts';
import type { RunEvent } from '../events.ts';
import type { WorkflowEngine } from '../engine/workflow-engine.ts';
import { frame, streamResponse } from './event-stream.ts';

/**
 * Streams a run: first `run`, the run as it is, then each event under its name, until it ends. A client that lost the
 * connection asks again, and has all that ended meanwhile in the first message.
 *
 * @throws WorkflowError with the code `not-found`.
 */
export async function followRun(engine: WorkflowEngine, runId: string): Promise<Response> {
  const leaving = new AbortController();
  const run = await engine.attach(runId, { signal: leaving.signal });
  const events = run[Symbol.asyncIterator]();
  const state = await engine.run(runId);
  return streamResponse(framesOf(state, events), {
    onLeave: () => leaving.abort(),
    onError: (error) => frame(toErrorJson(error), 'error'),
  });
}

async function* framesOf(
  state: object,
  events: AsyncGenerator<RunEvent, void, undefined>,
): AsyncGenerator<string, void, undefined> {
  yield `retry: 1000\n${frame(state, 'run')}`;
  for await (const event of events) yield frame(event, event.type);
}
