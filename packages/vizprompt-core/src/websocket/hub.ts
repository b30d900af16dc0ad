import type { Unsubscribe } from '@vizprompt/providers/internal';
import type { VizPromptEvents } from '../events.ts';
import type { VizPrompt } from '../vizprompt.ts';
import type { Connection } from './connection.ts';
import { outgoingMessage, type OutgoingMessage } from './outbox.ts';
import { EVENT_KINDS, wireName, type EventKind } from './wire/events.ts';

/** The clients of a server, and the events of the project that they hear. */
export class Hub {
  readonly connections: Set<Connection> = new Set();
  readonly #limit: number;
  readonly #stops: readonly Unsubscribe[];

  /** @param limit - Bytes that may wait for a client. */
  constructor(vizprompt: VizPrompt, limit: number) {
    this.#limit = limit;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of an object
    const names = Object.keys(EVENT_KINDS) as (keyof VizPromptEvents)[];
    this.#stops = names.map((name) => this.#listen(vizprompt, name));
  }

  #listen(vizprompt: VizPrompt, name: keyof VizPromptEvents): Unsubscribe {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is of the events of this name
    const kind = EVENT_KINDS[name] as EventKind<unknown>;
    const event = wireName(name);
    return vizprompt.on(name, (payload) => {
      const written = kind.write(payload);
      let message: OutgoingMessage | undefined;
      for (const connection of this.connections) {
        if (!connection.subscriptions.want(event, written)) continue;
        // Made once, and shared by all who hear it.
        message ??= outgoingMessage({ event, data: written.data }, this.#limit);
        connection.send(message);
      }
    });
  }

  /** Hears no more events. */
  close(): void {
    for (const stop of this.#stops) stop();
  }
}
