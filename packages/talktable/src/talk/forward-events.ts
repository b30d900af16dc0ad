import type { TypedEvents, Unsubscribe } from '@vizprompt/providers';
import type { TalkEvent, TalkEvents } from '../events.ts';

/** Tells the events of one talk to whoever iterates over its run. */
export function forwardEvents(
  events: TypedEvents<TalkEvents>,
  conversationId: string,
  tell: (event: TalkEvent) => void,
): Unsubscribe {
  const isOurs = (id: string): boolean => id === conversationId;
  const unlisten = [
    events.on('turn:started', (payload) => {
      if (isOurs(payload.turn.conversationId)) tell({ type: 'turn-started', ...payload });
    }),
    events.on('turn:delta', (payload) => {
      if (isOurs(payload.conversationId)) tell({ type: 'delta', ...payload });
    }),
    events.on('turn:retried', (payload) => {
      if (isOurs(payload.conversationId)) tell({ type: 'turn-retried', ...payload });
    }),
    events.on('turn:awaited', (payload) => {
      if (isOurs(payload.conversationId)) tell({ type: 'turn-awaited', ...payload });
    }),
    events.on('turn:ended', (payload) => {
      if (isOurs(payload.turn.conversationId)) tell({ type: 'turn-ended', ...payload });
    }),
    events.on('talk:ended', (payload) => {
      if (isOurs(payload.conversationId)) tell({ type: 'ended', ...payload });
    }),
  ];
  return () => {
    for (const stop of unlisten) stop();
  };
}
