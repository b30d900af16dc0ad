import type { RunEvent } from '@vizprompt/workflow';
import type { Cli } from '../../frame/cli.ts';
import { printable } from '../../frame/printable.ts';
import type { VizpromptMessages } from '../messages/vizprompt-messages.ts';

/** Shows what happens in a run, on standard error. Answers of parallel steps take turns by the line. */
export class EventView {
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
