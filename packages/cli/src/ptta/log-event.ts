import type { EventFacts, EventType, NewEventData } from '@vizprompt/memory';
import type { Cli } from '../frame/cli.ts';
import { sessionId } from './current-session.ts';
import type { PttaMessages } from './messages/ptta-messages.ts';
import { openMemory } from './open-memory.ts';

/** The options that all commands take which log an event. */
export interface LogOptions {
  readonly session?: string | undefined;
  readonly parent?: string | undefined;
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
