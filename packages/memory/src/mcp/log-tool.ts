import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { EVENT_TYPES } from '../model/event-data.ts';
import type { NewEvent } from '../model/memory-event.ts';
import { eventId, loggedEvent, sessionId } from './schemas.ts';
import { ADDS, runTool, sessionOf, toolResult, type ToolHost } from './tool-host.ts';

const FIELDS = `The fields of the type:
user_message {content};
assistant_message {content, tool_calls?: [{tool, args}]};
thinking {content, context?};
code_intention {action: create|edit|delete, file_path, reason, old_content?, new_content?, diff?}, before the change;
file_edit {action, file_path, old_content?, new_content?, diff?, intention_event_id? (default: the open one of the file), success, error_message?}, after it;
tool_use {tool, parameters, result?, duration_ms?, success?}`;

/** `log`. */
export function addLogTool(server: McpServer, host: ToolHost): void {
  server.registerTool(
    'log',
    {
      title: 'Log an event',
      description:
        'Keeps an event for later sessions, verbatim but for secrets: what was said, thought, intended, edited or run.',
      inputSchema: z.strictObject({
        type: z.enum(EVENT_TYPES),
        data: z.record(z.string(), z.unknown()).describe(FIELDS),
        session_id: sessionId
          .exactOptional()
          .describe('Default: the one that runs in the workspace'),
        parent_event_id: eventId.exactOptional().describe('The event that caused it'),
      }),
      outputSchema: loggedEvent,
      annotations: ADDS,
    },
    ({ type, data, session_id: id, parent_event_id: parent }) => {
      return runTool(host.logger, async () => {
        const session = await sessionOf(host, id);
        // The store checks the data by hand, and says which field is wrong.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is checked next
        const given = data as unknown as NewEvent['data'];
        const facts = parent === undefined ? {} : { parent };
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
