import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Option, type Command } from '@commander-js/extra-typings';
import { messageOf } from '@vizprompt/providers';
import { CliError } from '../../errors.ts';
import type { Cli } from '../../frame/cli.ts';
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
    .option('--overwrite', text.overwrite)
    .option('--log-path <file>', text.logPath)
    .action(async (given, { format, output, overwrite = false, logPath }) => {
      await using log = await openLog(cli, logPath);
      const { id } = await whichTalk(cli, log, given, logPath);
      const content = await log.exportConversation(id, formatOf(format));
      if (output === undefined) {
        if (cli.isJson) return await cli.out.json({ conversationId: id, format, content });
        return await cli.out.write(content);
      }
      await save(cli, output, content, overwrite);
      await cli.print({ conversationId: id, format, file: output }, () => text.saved(output));
    });
}

function formatOf(given: string): 'markdown' | 'json' | 'html' {
  return given === 'json' || given === 'html' ? given : 'markdown';
}

async function save(
  cli: Cli<TalktableMessages>,
  file: string,
  content: string,
  overwrite: boolean,
): Promise<void> {
  try {
    await writeFile(resolve(cli.cwd, file), content, { flag: overwrite ? 'w' : 'wx' });
  } catch (cause) {
    const isThere = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    const message = isThere ? cli.text.exists(file) : `${file}: ${messageOf(cause)}`;
    throw new CliError(isThere ? 'usage' : 'failed', message, { cause, context: { file } });
  }
}
