import { messageOf } from '@vizprompt/providers';
import type { TalkEvent, TalkResult, TalkRun } from '@vizprompt/talktable';
import type { Cli } from '../frame/cli.ts';
import { printable } from '../frame/printable.ts';
import { warn } from '../frame/warn.ts';
import type { TalktableMessages } from './messages/talktable-messages.ts';

/** Shows a run while it continues: what is said on standard output, all else on standard error. */
export async function showRun(cli: Cli<TalktableMessages>, run: TalkRun): Promise<TalkResult> {
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
      const { kind, status, speaker, error } = event.turn;
      if (kind === 'choice' || kind === 'verdict') return;
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
