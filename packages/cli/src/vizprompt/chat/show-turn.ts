import type { ChatTurnEvent } from '@vizprompt/core';
import type { Cli } from '../../frame/cli.ts';
import { printable } from '../../frame/printable.ts';
import type { VizpromptMessages } from '../messages/vizprompt-messages.ts';

/** How an answer is shown. */
export interface ShowOptions {
  /** True if thoughts are shown. */
  readonly reasoning: boolean;
  /** Returns the number of a node in the map of the flow. */
  readonly numberOf: (id: string) => Promise<string>;
}

/** Shows what happens in the course of an answer: on a line as JSON, or as text. */
export async function showTurn(
  cli: Cli<VizpromptMessages>,
  event: ChatTurnEvent,
  { reasoning, numberOf }: ShowOptions,
): Promise<void> {
  const { chat } = cli.text;
  if (cli.isJson) return cli.out.json(plain(event));
  switch (event.type) {
    case 'asked':
      return;
    case 'text':
      // Only a terminal obeys what it is shown; a file gets what was said.
      return cli.out.write(event.text);
    case 'reasoning':
      if (reasoning) await cli.err.write(cli.err.style('dim', printable(event.text)));
      return;
    case 'detail':
      return cli.err.line(cli.err.style('dim', chat.asksDetail(event.ids.join(', '))));
    case 'answered': {
      const { finishReason, usage, node } = event;
      await cli.out.write('\n');
      if (finishReason !== 'stop') {
        await cli.err.line(cli.err.style('yellow', chat.ended(finishReason)));
      }
      if (!cli.out.isTerminal) return;
      const { inputTokens = 0, outputTokens = 0 } = usage;
      const told = chat.usage(await numberOf(node.id), inputTokens, outputTokens);
      return cli.err.line(cli.err.style('dim', told));
    }
  }
}

/** Leaves out the messages of the context, which repeat the whole conversation: programs need its report only. */
function plain(event: ChatTurnEvent): object {
  if (event.type !== 'asked') return event;
  return { type: event.type, node: event.node, context: event.context.report };
}
