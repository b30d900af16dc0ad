import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { framedText } from '../recall/frame.ts';
import { filePath, recalledEvents, workspace } from './schemas.ts';
import { READ_ONLY, runTool, toolResult, type ToolHost } from './tool-host.ts';

/** `recall`. */
export function addRecallTool(server: McpServer, host: ToolHost): void {
  server.registerTool(
    'recall',
    {
      title: 'Recall what is useful',
      description:
        'Gives the past events that are most useful for the task at hand, as text within a budget of tokens, each cited by its id. Call it when you begin with something; search finds what you look for in particular.',
      inputSchema: z.strictObject({
        query: z
          .string()
          .min(1)
          .max(10_000)
          .exactOptional()
          .describe('The task, in natural language'),
        path: filePath.exactOptional().describe('The file that is worked on'),
        workspace: workspace.exactOptional(),
        budget_tokens: z
          .int()
          .min(50)
          .max(50_000)
          .default(2000)
          .describe('How many tokens the text may have, by estimate'),
      }),
      outputSchema: recalledEvents,
      annotations: READ_ONLY,
    },
    ({ budget_tokens: budgetTokens, workspace: folder = host.workspace, ...task }, { mcpReq }) => {
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
