import type { McpServer } from '@modelcontextprotocol/server';
import { described, OBJECT, oneOf, snakeInput } from '@vizprompt/providers/config/internal';
import { EVENT_TYPES } from '../model/event-data.ts';
import { EVENT_FACTS, type NewEvent } from '../model/memory-event.ts';
import { loggedEvent, SESSION_ID } from './schemas.ts';
import { ADDS, runTool, sessionOf, toolResult, type ToolHost } from './tool-host.ts';

const FIELDS = `The fields of the type:
user_message {content};
assistant_message {content, tool_calls?: [{tool, args}]};
thinking {content, context?};
code_intention {action: create|edit|delete, file_path, reason, old_content?, new_content?, diff?}, before the change;
file_edit {action, file_path, old_content?, new_content?, diff?, intention_event_id? (default: the open one of the file), success, error_message?}, after it;
tool_use {tool, parameters, result?, duration_ms?, success?}`;

const INPUT = snakeInput(
  {
    type: oneOf(...EVENT_TYPES),
    data: described(OBJECT, { en: FIELDS }),
    session: { ...SESSION_ID, en: 'Default: the one that runs in the workspace' },
    parent: EVENT_FACTS.parent,
  },
  { session: 'session_id', parent: 'parent_event_id' },
);

/** `log`. */
export function addLogTool(server: McpServer, host: ToolHost): void {
  server.registerTool(
    'log',
    {
      title: 'Log an event',
      description:
        'Keeps an event for later sessions, verbatim but for secrets: what was said, thought, intended, edited or run.',
      inputSchema: INPUT,
      outputSchema: loggedEvent,
      annotations: ADDS,
    },
    ({ type, data, session: id, ...facts }) => {
      return runTool(host.logger, async () => {
        const session = await sessionOf(host, id);
        // The store checks the data by hand, and says which field is wrong.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is checked next
        const given = data as NewEvent['data'];
        const event = await host.store.log(session.id, type, given, facts);
        const removed =
          event.redactions === undefined ? '' : `; ${event.redactions} secrets were taken out`;
        const intention =
          'intention_event_id' in event.data ? event.data.intention_event_id : undefined;
        const carried = intention === undefined ? '' : `; it carried out [${intention}]`;
        return toolResult(`Logged as ${event.sequence} [${event.id}]${carried}${removed}.`, {
          event_id: event.id,
          session_id: event.session_id,
          sequence: event.sequence,
          ...(intention === undefined ? {} : { intention_event_id: intention }),
          ...(event.redactions === undefined ? {} : { redactions: event.redactions }),
        });
      });
    },
  );
}
