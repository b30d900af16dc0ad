import type { McpServer } from '@modelcontextprotocol/server';
import { optional, wholeFrom, snakeInput } from '@vizprompt/providers/config/internal';
import { QUERY } from '../model/input-kinds.ts';
import { framedText } from '../recall/frame.ts';
import { RECALL_REQUEST } from '../recall/recall-options.ts';
import { FOLDER, recalledEvents } from './schemas.ts';
import { READ_ONLY, runTool, toolResult, type ToolHost } from './tool-host.ts';

const INPUT = snakeInput({
  ...RECALL_REQUEST,
  query: optional(QUERY, { en: RECALL_REQUEST.query.en }),
  workspace: FOLDER,
  budgetTokens: optional(wholeFrom(50, 50_000), {
    en: RECALL_REQUEST.budgetTokens.en,
    default: 2000,
  }),
});

/** `recall`. */
export function addRecallTool(server: McpServer, host: ToolHost): void {
  server.registerTool(
    'recall',
    {
      title: 'Recall what is useful',
      description:
        'Gives the past events that are most useful for the task at hand, as text within a budget of tokens, each cited by its id. Call it when you begin with something; search finds what you look for in particular.',
      inputSchema: INPUT,
      outputSchema: recalledEvents,
      annotations: READ_ONLY,
    },
    ({ budgetTokens = 2000, workspace: folder = host.workspace, ...task }, { mcpReq }) => {
      return runTool(host.logger, async () => {
        const { signal } = mcpReq;
        const recalled = await host.store.recall({
          ...task,
          workspace: folder,
          budgetTokens,
          signal,
        });
        const { text, tokens, events, omitted } = recalled;
        const [next] = omitted.filter(({ reason }) => reason === 'budget');
        const more = omitted.length === 0 ? '' : `\n\n(${omitted.length} more were left out)`;
        const nothing = 'Nothing is remembered here that could be useful.';
        const shown = text === '' ? (next ? 'The budget is too small.' : nothing) : '';
        return toolResult(text === '' ? shown : framedText(text, { workspace: folder }) + more, {
          events: events.map(({ event, reasons, text: part, isCut }) => ({
            event_id: event.id,
            session_id: event.session_id,
            sequence: event.sequence,
            timestamp: event.timestamp,
            type: event.type,
            reasons: [...reasons],
            text: part,
            is_cut: isCut,
          })),
          tokens,
          omitted: omitted
            .map(({ id, reason }) => ({ event_id: id, reason }))
            .slice(0, MOST_OMITTED),
          omitted_total: omitted.length,
        });
      });
    },
  );
}

/** Their ids cost tokens, too. */
const MOST_OMITTED = 10;
