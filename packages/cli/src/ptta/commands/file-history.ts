import type { Command } from '@commander-js/extra-typings';
import type { FileChange } from '@vizprompt/memory';
import { FILE_HISTORY_OPTIONS } from '@vizprompt/memory/internal';
import type { Cli } from '../../frame/cli.ts';
import { withInput } from '../../frame/input-options.ts';
import { remark } from '../../frame/remark.ts';
import { diffText } from '../event-text.ts';
import { localTime } from '../local-time.ts';
import type { PttaMessages } from '../messages/ptta-messages.ts';
import { openMemory } from '../open-memory.ts';

export const examples: readonly string[] = [
  'ptta file:history src/index.ts',
  'ptta file:history src/auth.ts --workspace ~/app --json',
];

export function define(command: Command, cli: Cli<PttaMessages>): void {
  const withFile = command.argument('<file_path>', cli.text.file);
  withInput(withFile, cli, FILE_HISTORY_OPTIONS).action(async (file, options) => {
    await using store = await openMemory(cli);
    const changes = await store.fileHistory(file, { workspace: cli.cwd, ...options });
    if (cli.isJson) return await cli.out.jsonArray(changes);
    if (changes.length === 0) await remark(cli, cli.frame.nothingFound);
    for (const change of changes) await cli.out.line(changeText(cli, change));
  });
}

function changeText(cli: Cli<PttaMessages>, { timestamp, intention, edit }: FileChange): string {
  const event = edit ?? intention;
  const what = edit ? edit.data.action : cli.text.onlyIntended;
  const head = `${cli.out.style('yellow', event?.id ?? '')}  ${localTime(timestamp)}  ${what}`;
  const parts = [
    head,
    ...(intention ? [`    ${intention.data.reason.replaceAll('\n', '\n    ')}`] : []),
    ...(edit?.data.success === false ? [`    ✗ ${edit.data.error_message ?? ''}`] : []),
    ...(edit && edit.data.diff !== '' ? [diffText(cli, edit.data.diff)] : []),
  ];
  return `${parts.join('\n')}\n`;
}
