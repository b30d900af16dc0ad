import { WORKSPACE } from '../model/input-kinds.ts';
import type { TurnRecorder } from '@vizprompt/providers';
import { checkOptions } from '../check-values.ts';
import { logEvents } from '../log/log-events.ts';
import { idFromNames } from '../model/ids.ts';
import { startSession } from '../session/start-session.ts';
import type { MemoryContext } from '../store/memory-context.ts';
import { eventsOfTurn } from './turn-events.ts';

/** Options of `recorder`. */
export interface RecorderOptions {
  /** The folder that the conversations belong to. Default: the current one. */
  readonly workspace?: string | undefined;
}

/** Keeps the turns of conversations that are led elsewhere: each conversation becomes a session. */
export function createRecorder(
  context: () => MemoryContext,
  options: RecorderOptions,
): TurnRecorder {
  checkOptions('recorder', options, { workspace: WORKSPACE });
  const { workspace } = options;
  return {
    specVersion: 1,
    async record(turn) {
      const store = context();
      if (turn.status === 'pending') return;
      const { id } = await startSession(store, {
        id: sessionOfConversation(turn.conversationId),
        ...(workspace === undefined ? {} : { workspace }),
        startedAt: turn.startedAt,
        metadata: { conversation: turn.conversationId },
        ifExists: 'keep',
      });
      const events = eventsOfTurn(turn);
      await logEvents(store, id, events, { duplicates: 'skip', intoEnded: true });
    },
  };
}

/** The id of the session that a recorder keeps a conversation in. */
export function sessionOfConversation(conversation: string): string {
  return idFromNames('conversation', conversation);
}
