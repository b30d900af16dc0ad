import type { Front, Message, Posted } from './front.ts';

interface SlackMessage {
  readonly channel: string;
  readonly ts: string;
  readonly thread_ts?: string;
  readonly channel_type?: string;
  readonly user?: string;
  readonly text?: string;
  readonly bot_id?: string;
  readonly subtype?: string;
  readonly files?: readonly { readonly name?: string | null }[];
}

/** The part of a Bolt `App` that is used. Scopes: chat:write, and channels:history, groups:history or im:history. */
export interface SlackApp {
  message(
    listener: (event: {
      readonly message: object;
      readonly context?: { readonly botUserId?: string };
    }) => Promise<void>,
  ): unknown;
  readonly client: {
    readonly chat: {
      postMessage(message: {
        channel: string;
        text: string;
        thread_ts?: string;
      }): Promise<{ readonly ts?: string }>;
      update(message: { channel: string; ts: string; text: string }): Promise<unknown>;
      delete?(message: { channel: string; ts: string }): Promise<unknown>;
    };
  };
}

/** The subtypes of messages of people; edits, deletions and notes of Slack have others. */
const SAID = new Set([undefined, 'file_share', 'thread_broadcast', 'me_message']);

/** Slack as a front: each thread is a room, and so are direct messages. */
export function slack(app: SlackApp): Front {
  return {
    // The limit of an edit; a new message may be longer.
    maxLength: 4000,
    lengthOf: (text) => escaped(text).length,
    canEdit: true,
    listen: (onMessage) =>
      new Promise(() => {
        app.message(async ({ message, context }) => {
          const read = isMessage(message) && messageOf(app, message, context?.botUserId);
          // Slack resends a message that is not acknowledged within seconds, so this does not wait.
          if (read) void onMessage(read);
        });
      }),
  };
}

function isMessage(message: object): message is SlackMessage {
  return 'channel' in message && 'ts' in message;
}

function messageOf(
  { client: { chat } }: SlackApp,
  message: SlackMessage,
  own: string | undefined,
): Message | undefined {
  const { channel, ts, user: from, files = [] } = message;
  // Bots would answer each other without end.
  if (message.bot_id !== undefined || !SAID.has(message.subtype)) return undefined;
  const said = unescaped((message.text ?? '').replaceAll(`<@${own}>`, '')).trim();
  if (from === undefined || said === '') return undefined;
  const text = [said, ...files.map(({ name }) => `[${name ?? 'file'}]`)].join('\n');
  const isDirect = message.channel_type === 'im' && message.thread_ts === undefined;
  const thread = isDirect ? undefined : (message.thread_ts ?? ts);
  const post = async (answer: string): Promise<Posted> => {
    const where = { channel, ...(thread !== undefined && { thread_ts: thread }) };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- of Slack, not of a window
    const posted = await chat.postMessage({ ...where, text: escaped(answer) });
    const { ts: at } = posted;
    if (at === undefined) return {};
    return {
      edit: (changed) => chat.update({ channel, ts: at, text: escaped(changed) }),
      remove: async () => chat.delete?.({ channel, ts: at }),
    };
  };
  const room = thread === undefined ? channel : `${channel}:${thread}`;
  return { id: `${channel}:${ts}`, room, from, text, post };
}

/** Escapes a text as Slack wants it: an answer that quotes `<!channel>` must not notify everyone. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function unescaped(text: string): string {
  return text
    .replaceAll(/<(?:[@#!][^>|]*\||(?:https?:|mailto:)[^>|]*\|)([^>]*)>/g, '$1')
    .replaceAll(/<((?:https?:|mailto:)[^>]*)>/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
