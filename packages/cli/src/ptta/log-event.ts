import { readFile, stat } from 'node:fs/promises';
import type { Command } from '@commander-js/extra-typings';
import type { EventFacts, EventType, NewEventData } from '@vizprompt/memory';
import type { Cli } from '../frame/cli.ts';
import { readWord } from '../frame/read-input.ts';
import { sessionId } from './current-session.ts';
import type { PttaMessages } from './messages/ptta-messages.ts';
import { openMemory } from './open-memory.ts';

/** The options that all commands take which log an event. */
export interface LogOptions {
  readonly session?: string | undefined;
  readonly parent?: string | undefined;
}

/** Defines a command that logs a message. */
export function defineMessageCommand(
  command: Command,
  cli: Cli<PttaMessages>,
  type: 'user_message' | 'assistant_message',
): void {
  command
    .argument('<message>', cli.text.message)
    .option('--session <id>', cli.text.session)
    .option('--parent <id>', cli.text.parent)
    .action(async (message, options) => {
      await logEvent(cli, options, type, { content: await readWord(cli, message) });
    });
}

/** Logs one event in the session that is meant, and prints it. */
export async function logEvent<Type extends EventType>(
  cli: Cli<PttaMessages>,
  { session, parent }: LogOptions,
  type: Type,
  data: NewEventData<Type>,
): Promise<void> {
  const facts: EventFacts = parent === undefined ? {} : { parent };
  await using store = await openMemory(cli);
  const event = await store.log(await sessionId(cli, store, session), type, data, facts);
  await cli.print(event, () => cli.text.logged(event.sequence, event.type, event.id));
}

/** Larger files are recorded without their text. */
const MAX_BYTES = 32 * 1024 * 1024;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the text of a file; `undefined` if there is none, or if it is too large or no text to be recorded. */
export async function textOfFile(path: string): Promise<string | undefined> {
  try {
    const { size } = await stat(path);
    return size > MAX_BYTES ? undefined : decoder.decode(await readFile(path));
  } catch {
    return undefined;
  }
}
