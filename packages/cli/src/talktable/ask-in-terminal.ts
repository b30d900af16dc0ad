import type { AskPerson } from '@vizprompt/talktable';
import type { Cli } from '../frame/cli.ts';
import type { InputLines } from '../frame/input-lines.ts';
import { printable } from '../frame/printable.ts';
import type { TalktableMessages } from './messages/talktable-messages.ts';

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
