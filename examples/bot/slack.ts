import type { Front, Posted } from './front.ts';

interface SlackMessage {
  readonly channel: string;
  readonly ts: string;
  readonly thread_ts?: string;
  readonly user?: string;
  readonly text?: string;
  readonly bot_id?: string;
  readonly subtype?: string;
}

/** The part of a Bolt `App` that is used. Scopes: chat:write and channels:history. */
export interface SlackApp {
  message(listener: (event: { readonly message: SlackMessage }) => Promise<void>): unknown;
  readonly client: {
    readonly chat: {
      postMessage(message: {
        channel: string;
        text: string;
        thread_ts: string;
      }): Promise<{ readonly ts?: string }>;
      update(message: { channel: string; ts: string; text: string }): Promise<unknown>;
    };
  };
}

/** Slack as a front: each thread is a room. */
export function slack(app: SlackApp): Front {
  const { chat } = app.client;
  return {
    maxLength: 4000,
    canEdit: true,
    listen: (onMessage) =>
      new Promise(() => {
        app.message(async ({ message }) => {
          const { channel, ts, thread_ts: thread = ts, user: from, text } = message;
          // Edits and deletions are messages of a subtype, and bots have an id.
          if (message.bot_id !== undefined || message.subtype !== undefined) return;
          if (from === undefined || text === undefined) return;
          const post = async (answer: string): Promise<Posted> => {
            // oxlint-disable-next-line unicorn/require-post-message-target-origin -- of Slack, not of a window
            const posted = await chat.postMessage({ channel, text: answer, thread_ts: thread });
            const { ts: own } = posted;
            if (own === undefined) return {};
            return { edit: (changed) => chat.update({ channel, ts: own, text: changed }) };
          };
          // Slack resends a message that is not acknowledged within seconds, so this does not wait.
          void onMessage({ room: `${channel}:${thread}`, from, text, post });
        });
      }),
  };
}
