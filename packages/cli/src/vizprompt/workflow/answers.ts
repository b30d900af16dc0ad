import { type JsonValue, messageOf } from '@vizprompt/providers';
import type { OpenQuestion, StepPlace, WorkflowEngine } from '@vizprompt/workflow';
import type { Cli } from '../../frame/cli.ts';
import type { InputLines } from '../../frame/input-lines.ts';
import { warn } from '../../frame/warn.ts';
import type { VizpromptMessages } from '../messages/vizprompt-messages.ts';

/** The parts that answers are given with. */
export interface AnswersOptions {
  readonly engine: WorkflowEngine;
  readonly lines: InputLines;
  /** Answers of the command line, by steps or paths; each is used once. */
  readonly given: readonly (readonly [name: string, value: string])[];
  /** Called when a question has no answer. */
  readonly onEnd: (path: string) => void;
}

/** Answers the questions of a run: from the command line first, then from the terminal, one after the other. */
export class Answers {
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
