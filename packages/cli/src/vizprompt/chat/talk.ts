import { LLMError } from '@vizprompt/providers';
import { CliError } from '../../errors.ts';
import type { Cli } from '../../frame/cli.ts';
import { reportError } from '../../frame/report-error.ts';
import type { VizpromptMessages } from '../messages/vizprompt-messages.ts';
import { remark } from '../../frame/remark.ts';
import { ChatInput } from './chat-input.ts';
import type { ChatSession } from './chat-session.ts';

/**
 * Talks with a person, or with a script: line by line, until there are no more. Ctrl+C breaks off an answer.
 * An error is shown, and the chat continues; a script ends with it.
 */
export async function talk(
  cli: Cli<VizpromptMessages>,
  session: ChatSession,
  model: string,
): Promise<void> {
  using input = new ChatInput(cli);
  if (input.isTerminal) await remark(cli, cli.text.chat.welcome(model, session.flow));
  for (;;) {
    const line = await input.next();
    if (line === undefined || line === '/exit') break;
    const answer = new AbortController();
    using _ = input.onInterrupt(() => answer.abort());
    try {
      await obey(cli, session, line, AbortSignal.any([cli.signal, answer.signal]));
    } catch (error) {
      if (answer.signal.aborted && LLMError.isInstance(error) && error.code === 'aborted') {
        await tellStopped(cli);
        continue;
      }
      cli.signal.throwIfAborted();
      if (!input.isTerminal) throw error;
      await reportError(cli, error);
    }
  }
  cli.signal.throwIfAborted();
}

async function tellStopped(cli: Cli<VizpromptMessages>): Promise<void> {
  if (cli.isJson) return cli.out.json({ type: 'stopped' });
  await cli.out.write('\n');
  return remark(cli, cli.text.chat.stopped);
}

async function obey(
  cli: Cli<VizpromptMessages>,
  session: ChatSession,
  line: string,
  signal: AbortSignal,
): Promise<void> {
  if (line.trim() === '') return;
  if (!line.startsWith('/')) return session.say(line, signal);
  if (line.startsWith('//')) return session.say(line.slice(1), signal);
  const [word = '', rest = ''] = line.trim().split(/\s+(.*)/s);
  switch (word) {
    case '/retry':
      return session.retry(signal);
    case '/edit':
      return session.edit(rest, signal);
    case '/continue':
      return session.continue(signal);
    case '/branch':
      return session.branch(rest);
    case '/tree':
      return session.tree();
    case '/help':
      return cli.err.line(cli.text.chat.help);
    default:
      throw new CliError('usage', cli.text.chat.noCommand(word));
  }
}
