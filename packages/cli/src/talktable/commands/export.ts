import { Option, type Command } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import { writeOutput } from '../../frame/write-output.ts';
import type { TalktableMessages } from '../messages/talktable-messages.ts';
import { openLog, whichTalk } from '../open-log.ts';

export const examples: readonly string[] = [
  'talktable export > talk.md',
  'talktable export 0198c7a2-0000-7000-8000-000000000000 --format html --output talk.html',
];

export function define(command: Command, cli: Cli<TalktableMessages>): void {
  const { text } = cli;
  const FORMATS = ['markdown', 'json', 'html'] as const;
  command
    .argument('[id]', text.conversation)
    .addOption(new Option('--format <format>', text.format).choices(FORMATS).default('markdown'))
    .option('--output <file>', text.output)
    .option('--log-path <file>', text.logPath)
    .action(async (given, { format, output, logPath }) => {
      await using log = await openLog(cli, logPath);
      const { id } = await whichTalk(cli, log, given, logPath);
      const content = await log.exportConversation(id, formatOf(format));
      if (output === undefined && cli.isJson) {
        return await cli.out.json({ conversationId: id, format, content });
      }
      const file = await writeOutput(cli, output, [content]);
      if (file === undefined) return;
      await cli.print({ conversationId: id, format, file }, () => text.saved(file));
    });
}

function formatOf(given: string): 'markdown' | 'json' | 'html' {
  return given === 'json' || given === 'html' ? given : 'markdown';
}
