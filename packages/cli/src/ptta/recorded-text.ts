import type { RecordedEdit } from '@vizprompt/memory';
import type { Cli } from '../frame/cli.ts';
import { diffText } from './event-text.ts';
import type { PttaMessages } from './messages/ptta-messages.ts';

/** Returns a change of a file as it was recorded, with its diff. */
export function recordedText(cli: Cli<PttaMessages>, { intention, edit }: RecordedEdit): string {
  const { logged, unchanged } = cli.text;
  const { diff } = edit.data;
  return [
    logged(intention.sequence, intention.type, intention.id),
    logged(edit.sequence, edit.type, edit.id),
    diff === '' ? unchanged : diffText(cli, diff),
  ].join('\n');
}
