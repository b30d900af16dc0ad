import { type JsonValue } from '@vizprompt/providers';
import type { WorkflowEngine, WorkflowRun } from '@vizprompt/workflow';
import { CliError } from '../../errors.ts';
import type { Cli } from '../../frame/cli.ts';
import { InputLines } from '../../frame/input-lines.ts';
import type { VizpromptMessages } from '../messages/vizprompt-messages.ts';
import { Answers } from './answers.ts';
import { EventView } from './show-event.ts';

/** A run, and how it is shown. */
export interface RunToLead {
  readonly engine: WorkflowEngine;
  readonly run: WorkflowRun;
  readonly answers: readonly (readonly [name: string, value: string])[];
  readonly isQuiet: boolean;
  /** True if workers lead it, and this process only looks on. */
  readonly isRemote: boolean;
}

/**
 * Shows a run until it ends: events on standard error (with `--json` on standard output), and what it gives on
 * standard output. Ctrl+C lets go of it, so that it can be resumed.
 *
 * @throws CliError `failed` if a person is asked and there is no answer; what the run failed with.
 */
export async function leadRun(
  cli: Cli<VizpromptMessages>,
  { engine, run, answers: given, isQuiet, isRemote }: RunToLead,
): Promise<void> {
  using lines = new InputLines(cli);
  let unanswered: string | undefined;
  const onEnd = (path: string): void => {
    unanswered = path;
    void engine.close();
  };
  const letGo = (): void => void engine.close();
  cli.signal.addEventListener('abort', letGo, { once: true });
  const answers = new Answers(cli, { engine, lines, given, onEnd });
  const view = new EventView(cli);
  try {
    for await (const event of run) {
      if (cli.isJson) await cli.out.json(event);
      else if (!isQuiet) await view.show(event);
      if (event.type === 'step:waiting') answers.ask(event);
      if (event.type === 'step:answered' || event.type === 'step:failed') answers.close(event.path);
    }
    const { output } = await run.result;
    if (!cli.isJson) await cli.out.line(outputText(output));
  } catch (error) {
    if (unanswered !== undefined) {
      const { waits, waitsThere } = cli.text.workflow;
      const message = (isRemote ? waitsThere : waits)(run.id, unanswered);
      throw new CliError('failed', message, { context: { runId: run.id, path: unanswered } });
    }
    if (!cli.isJson) await cli.err.line(cli.text.workflow.goesOnWith(run.id));
    throw error;
  } finally {
    cli.signal.removeEventListener('abort', letGo);
  }
}

/** Returns a text as it is, all else as JSON. */
export function outputText(output: JsonValue): string {
  return typeof output === 'string' ? output : JSON.stringify(output, null, 2);
}
