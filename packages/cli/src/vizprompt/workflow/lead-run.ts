import { type JsonValue, messageOf } from '@vizprompt/providers';
import type {
  OpenQuestion,
  RunEvent,
  StepPlace,
  WorkflowEngine,
  WorkflowRun,
} from '@vizprompt/workflow';
import { CliError } from '../../errors.ts';
import { type Cli, warn } from '../../frame/cli.ts';
import { InputLines } from '../../frame/input-lines.ts';
import { printable } from '../../frame/output.ts';
import type { VizpromptMessages } from '../messages/en.ts';

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

/** Shows what happens in a run, on standard error. Answers of parallel steps take turns by the line. */
class EventView {
  readonly #cli: Cli<VizpromptMessages>;
  /** The speaker of the line in progress. */
  #speaking: string | undefined;

  constructor(cli: Cli<VizpromptMessages>) {
    this.#cli = cli;
  }

  async show(event: RunEvent): Promise<void> {
    if (event.type === 'step:delta') return this.#speak(event.path, event.text);
    const line = this.#lineOf(event);
    if (line === undefined) return;
    await this.#endLine();
    await this.#cli.err.line(line);
  }

  async #speak(path: string, text: string): Promise<void> {
    const { err } = this.#cli;
    if (this.#speaking !== path) {
      await this.#endLine();
      await err.write(`${err.style('cyan', path)}  `);
      this.#speaking = path;
    }
    await err.write(printable(text));
  }

  async #endLine(): Promise<void> {
    if (this.#speaking !== undefined) await this.#cli.err.write('\n');
    this.#speaking = undefined;
  }

  #lineOf(event: RunEvent): string | undefined {
    const { err, text } = this.#cli;
    const { workflow } = text;
    const at = (path: string, what: string): string => `${err.style('cyan', path)}  ${what}`;
    switch (event.type) {
      case 'step:started':
        return at(event.path, [event.stepType, event.agent, event.model].filter(Boolean).join(' '));
      case 'step:ended': {
        const done = event.isReplayed ? workflow.replayed : `${Math.round(event.ms)} ms`;
        return at(event.path, err.style('green', `✓ ${done}`));
      }
      case 'step:failed':
        return at(event.path, err.style('red', `✗ ${event.error.message}`));
      case 'step:skipped':
        return at(event.path, workflow.skipped);
      case 'step:retried': {
        const { attempt, waitMs, error } = event;
        return at(event.path, workflow.retried(attempt, Math.round(waitMs / 1000), error.message));
      }
      case 'step:fell-back':
        return at(event.path, workflow.fellBack(event.from, event.to, event.error.message));
      case 'step:handed-over':
        return at(event.path, `→ ${event.to}`);
      case 'tool:started':
        return at(event.path, event.tool);
      case 'step:waiting':
        return `${err.style('bold', workflow.asks(event.path))} ${event.question}`;
      case 'step:answered':
        return at(event.path, workflow.answered);
      case 'step:emitted':
        return at(event.path, `${event.name} ${JSON.stringify(event.payload)}`);
      case 'recorder:failed':
        return err.style('yellow', event.error.message);
      default:
        return undefined;
    }
  }
}

/** The parts that answers are given with. */
interface AnswersOptions {
  readonly engine: WorkflowEngine;
  readonly lines: InputLines;
  /** Answers of the command line, by steps or paths; each is used once. */
  readonly given: readonly (readonly [name: string, value: string])[];
  /** Called when a question has no answer. */
  readonly onEnd: (path: string) => void;
}

/** Answers the questions of a run: from the command line first, then from the terminal, one after the other. */
class Answers {
  readonly #cli: Cli<VizpromptMessages>;
  readonly #options: AnswersOptions;
  readonly #given: (readonly [name: string, value: string])[];
  readonly #open = new Map<string, AbortController>();
  #asking: Promise<void> = Promise.resolve();

  constructor(cli: Cli<VizpromptMessages>, options: AnswersOptions) {
    this.#cli = cli;
    this.#options = options;
    this.#given = [...options.given];
  }

  /** Asks a person. */
  ask(place: StepPlace): void {
    const over = new AbortController();
    this.#open.set(place.path, over);
    this.#asking = this.#asking.then(() => this.#answer(place, over.signal)).catch(() => {});
  }

  /** A question was answered, here or elsewhere. */
  close(path: string): void {
    this.#open.get(path)?.abort();
    this.#open.delete(path);
  }

  async #answer({ runId, path, stepId }: StepPlace, signal: AbortSignal): Promise<void> {
    const { engine, lines, onEnd } = this.#options;
    while (!signal.aborted) {
      const text = this.#take(path, stepId) ?? (await this.#read(path, signal, lines));
      if (text === undefined) return onEnd(path);
      const { waiting } = await engine.run(runId);
      const question = waiting.find((one) => one.path === path);
      if (!question) return;
      try {
        return await engine.answer(runId, answerValue(text, question), { path });
      } catch (error) {
        await warn(this.#cli, this.#cli.text.workflow.unusable(messageOf(error)));
      }
    }
  }

  #take(path: string, stepId: string): string | undefined {
    const at = this.#given.findIndex(([name]) => name === path || name === stepId);
    return at === -1 ? undefined : this.#given.splice(at, 1)[0]?.[1];
  }

  async #read(path: string, signal: AbortSignal, lines: InputLines): Promise<string | undefined> {
    if (!this.#cli.isJson && this.#cli.err.isTerminal) await this.#cli.err.write(`${path}> `);
    return lines.next(signal);
  }
}

/** Returns a text where a text is asked for; else JSON, if it is any. */
export function answerValue(text: string, { schema }: OpenQuestion): JsonValue {
  if (schema?.['type'] === 'string') return text;
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- that is what JSON is
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
