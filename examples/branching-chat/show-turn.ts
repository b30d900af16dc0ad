import type { ChatTurn, ContextReport } from '@vizprompt/core';

/** Says what the context costs and saves, and shows the answer as it comes. */
export async function showTurn(turn: ChatTurn): Promise<void> {
  try {
    for await (const event of turn) {
      if (event.type === 'asked') console.log(`(${contextLine(event.context.report)})`);
      else if (event.type === 'text') process.stdout.write(event.text);
      else if (event.type === 'detail') {
        console.log(`(the model asks for ${event.ids.length} earlier turns in full)`);
      } else if (event.type === 'answered' && event.finishReason !== 'stop') {
        process.stdout.write(` (${event.finishReason})`);
      }
    }
  } finally {
    // Also where an answer broke off in the middle of a line.
    console.log();
  }
}

/** The turn before goes along in full, older ones as a line each, unless the prompt is about them. */
function contextLine({ tokens, everything }: ContextReport): string {
  const saved = everything.tokens - tokens;
  const share = saved > 0 ? `, ${Math.round((100 * saved) / everything.tokens)} % saved` : '';
  return `sent: ${tokens} tokens; the whole branch: ${everything.tokens}${share}`;
}
