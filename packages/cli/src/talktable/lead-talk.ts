import { messageOf } from '@vizprompt/providers';
import { hasCode } from '@vizprompt/providers/internal';
import type {
  AskPerson,
  ConversationManager,
  RunOptions,
  TalkEvent,
  TalkResult,
  TalkRun,
} from '@vizprompt/talktable';
import { CliError } from '../errors.ts';
import { type Cli, warn } from '../frame/cli.ts';
import type { InputLines } from '../frame/input-lines.ts';
import { printable } from '../frame/output.ts';
import type { TalktableMessages } from './messages/en.ts';

/** The parts that a talk is led with. */
export interface TalkToLead {
  readonly manager: ConversationManager;
  readonly lines: InputLines;
  /** The command that continues with the talk, to print after an interruption. */
  readonly again: (conversationId: string) => string;
  readonly begin: (options: RunOptions) => TalkRun;
}

/**
 * Leads a talk to its end. Ctrl+C lets the turn in progress end and asks whether to continue; once more, and the
 * turn is broken off. The log is whole in both cases.
 *
 * @throws CliError `interrupted` if it did not come to its end; what the talk failed with.
 */
export async function leadTalk(cli: Cli<TalktableMessages>, talk: TalkToLead): Promise<void> {
  const { manager } = talk;
  let isPausing = false;
  using _ = cli.interrupts.onInterrupt(() => {
    if (isPausing) return cli.interrupts.stop('SIGINT');
    isPausing = true;
    void cli.err.line(cli.err.style('dim', `\n${cli.text.pausing}`)).catch(() => {});
    void manager.pause();
  });
  let run = talk.begin({ signal: cli.signal });
  for (;;) {
    const again = cli.text.goesOnWith(talk.again(run.conversationId));
    const result = await showRun(cli, run).catch(async (error: unknown) => {
      if (!isBeyondResuming(error)) await tell(cli, again);
      throw error;
    });
    if (result.status === 'done') return;
    const goesOn =
      isPausing && !cli.signal.aborted && !cli.isJson && (await wantsToGoOn(cli, talk));
    if (!goesOn) {
      await tell(cli, again);
      throw new CliError('interrupted', `${result.status}: ${result.reason}`);
    }
    isPausing = false;
    run = manager.resume(run.conversationId, { signal: cli.signal });
  }
}

async function wantsToGoOn(cli: Cli<TalktableMessages>, { lines }: TalkToLead): Promise<boolean> {
  for (;;) {
    await cli.err.write(cli.text.goOn);
    const line = await lines.next(cli.signal).catch(() => undefined);
    const answer = line?.trim().toLowerCase();
    if (answer === undefined || cli.text.isNo(answer)) return false;
    if (cli.text.isYes(answer)) return true;
  }
}

/** There is no such talk, it has come to its end, or another process leads it: `resume` would say the same. */
function isBeyondResuming(error: unknown): boolean {
  return hasCode(error, 'conversation-not-found', 'finished', 'conflict');
}

async function tell(cli: Cli<TalktableMessages>, text: string): Promise<void> {
  if (!cli.isJson) await cli.err.line(text);
}

/** Shows a run while it continues: what is said on standard output, all else on standard error. */
async function showRun(cli: Cli<TalktableMessages>, run: TalkRun): Promise<TalkResult> {
  for await (const event of run) {
    if (cli.isJson) await cli.out.json(event);
    else await showEvent(cli, event);
  }
  return run.result();
}

async function showEvent(cli: Cli<TalktableMessages>, event: TalkEvent): Promise<void> {
  const { out, text } = cli;
  switch (event.type) {
    case 'turn:started':
      // Decisions are not part of the talk.
      if (event.turn.kind === 'choice' || event.turn.kind === 'verdict') return;
      return out.write(`\n${out.style('bold', printable(event.turn.speaker))}: `);
    case 'turn:delta':
      return out.write(printable(event.text));
    case 'turn:retried':
      await out.write('\n');
      await warn(cli, text.retried(event.speaker, messageOf(event.error)));
      return out.write(`${out.style('bold', printable(event.speaker))}: `);
    case 'turn:called':
      await out.write('\n');
      await cli.err.line(cli.err.style('dim', printable(text.called(event.speaker, event.tool))));
      return out.write(`${out.style('bold', printable(event.speaker))}: `);
    case 'turn:awaited':
      return;
    case 'turn:ended': {
      const { kind, status, speaker, error, model, text: said } = event.turn;
      if (kind === 'choice' || kind === 'verdict') return;
      // The words of a person come in no pieces. A terminal has shown them as they were typed.
      const isTyped = cli.stdin.isTTY === true && out.isTerminal;
      if (model === undefined && !isTyped) await out.write(printable(said));
      await out.write('\n');
      if (status === 'skipped') await warn(cli, text.skipped(speaker, error?.message ?? ''));
      return;
    }
    case 'talk:ended': {
      const { status, reason, turns, tokens } = event;
      return cli.err.line(cli.err.style('dim', `\n${text.ended(status, reason, turns, tokens)}`));
    }
  }
}

/**
 * Lets people who take part speak on standard input, a line for each turn.
 *
 * @param onEnd - Called when there is no more input, while a person is to speak.
 */
export function askInTerminal(
  cli: Cli<TalktableMessages>,
  lines: InputLines,
  onEnd: () => void,
): AskPerson {
  return async ({ speaker, signal }) => {
    if (!cli.isJson && cli.err.isTerminal) await cli.err.write(`${printable(speaker)}> `);
    const line = await lines.next(signal);
    if (line !== undefined) return line;
    onEnd();
    // An answer may still come from another process.
    return new Promise<string>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  };
}
