import type { GetPromptResult, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { framedText } from '../recall/recalled-text.ts';
import { refresh, type ToolHost } from './tool-host.ts';

/** How much of the memory the prompt `recall` brings, in tokens. */
const BUDGET_TOKENS = 2000;

/** Adds what users call by name: `recall`, `remember` and `forget`. */
export function addPrompts(server: McpServer, host: ToolHost): void {
  const { store, workspace } = host;
  server.registerPrompt(
    'recall',
    {
      title: 'Recall',
      description: 'Brings what past sessions of this workspace say about something',
      argsSchema: z.object({ topic: z.string().optional().describe('Default: what was last') }),
    },
    async ({ topic }) => {
      const query = topic?.trim() ? { query: topic } : {};
      await refresh(host);
      const recalled = await store.recall({ ...query, workspace, budgetTokens: BUDGET_TOKENS });
      const about = topic?.trim() ? ` about: ${topic}` : '';
      return asked(
        recalled.text === ''
          ? `Nothing is remembered here${about}. Look for it with the tool search, in other words.`
          : `Notes from past sessions${about}.\n\n${framedText(recalled.text, { workspace })}`,
      );
    },
  );
  server.registerPrompt(
    'remember',
    {
      title: 'Remember',
      description: 'Stores something for later sessions',
      argsSchema: z.object({ what: z.string().describe('The fact to remember') }),
    },
    ({ what }) =>
      asked(
        `Store this for later sessions, word for word, with the tool log (type user_message); call session_start first if no session runs. Then say in a line that it is stored.\n\n${what}`,
      ),
  );
  server.registerPrompt(
    'forget',
    {
      title: 'Forget',
      description: 'Finds something in the memory, and forgets it when you agree',
      argsSchema: z.object({ what: z.string().describe('The data to forget') }),
    },
    ({ what }) =>
      asked(
        `Find this in the memory with the tool search. Then call the tool forget with the ids of all events that say it, show me what it lists, and call it again with confirm only after I have agreed.\n\n${what}`,
      ),
  );
}

function asked(text: string): GetPromptResult {
  return { messages: [{ role: 'user', content: { type: 'text', text } }] };
}
