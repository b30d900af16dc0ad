import type { Front, Message, Posted } from './front.ts';

interface LineText {
  readonly type: 'text';
  readonly text: string;
}

/** The part of a `MessagingApiClient` of @line/bot-sdk that is used. */
export interface LineClient {
  replyMessage(request: { replyToken: string; messages: LineText[] }): Promise<unknown>;
  pushMessage(request: { to: string; messages: LineText[] }): Promise<unknown>;
}

/** An event of a webhook, after the `middleware` of @line/bot-sdk has checked its signature. */
export interface LineEvent {
  readonly type: string;
  readonly mode?: string;
  readonly webhookEventId?: string;
  readonly replyToken?: string;
  readonly source?: {
    readonly userId?: string;
    readonly groupId?: string;
    readonly roomId?: string;
  };
  readonly message?: {
    readonly type: string;
    readonly text?: string;
    readonly mention?: { readonly mentionees: readonly LineMention[] };
  };
}

interface LineMention {
  readonly index: number;
  readonly length: number;
  readonly isSelf?: boolean;
}

/** LINE as a front: `events` receives the events of a webhook. Posted messages cannot be edited. */
export interface LineFront extends Front {
  events(events: readonly LineEvent[]): void;
}

export function line(client: LineClient): LineFront {
  let hear: ((message: Message) => Promise<void>) | undefined;
  // A webhook may be open before the bot listens.
  const early: Message[] = [];
  return {
    maxLength: 5000,
    canEdit: false,
    listen: (onMessage) => {
      hear = onMessage;
      for (const message of early.splice(0)) void onMessage(message);
      return new Promise(() => undefined);
    },
    events(events) {
      for (const event of events) {
        const message = messageOf(client, event);
        if (!message) continue;
        if (hear) void hear(message);
        else early.push(message);
      }
    },
  };
}

function messageOf(client: LineClient, event: LineEvent): Message | undefined {
  const { type, mode, webhookEventId: id, replyToken, source = {}, message } = event;
  const { userId: from, groupId, roomId } = source;
  const room = groupId ?? roomId ?? from;
  // In standby, another program answers.
  if (type !== 'message' || mode === 'standby' || message?.type !== 'text') return undefined;
  const text = textOf(message);
  if (from === undefined || room === undefined || text === '') return undefined;
  // A token is good for one reply, which is free, and for a minute.
  let token = replyToken;
  const post = async (answer: string): Promise<Posted> => {
    const messages: LineText[] = [{ type: 'text', text: answer }];
    const first = token;
    token = undefined;
    try {
      if (first !== undefined) await client.replyMessage({ replyToken: first, messages });
    } catch (error) {
      if (!isRefused(error)) throw error;
      await client.pushMessage({ to: room, messages });
    }
    if (first === undefined) await client.pushMessage({ to: room, messages });
    return {};
  };
  return { id, room, from, text, post };
}

/** Returns the text without mentions of the bot. */
function textOf({ text = '', mention }: NonNullable<LineEvent['message']>): string {
  let rest = text;
  for (const { index, length, isSelf } of (mention?.mentionees ?? []).toReversed()) {
    if (isSelf === true) rest = rest.slice(0, index) + rest.slice(index + length);
  }
  return rest.trim();
}

/** Checks whether LINE refused a request as such: nothing was posted, as the token is too old. */
function isRefused(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 400;
}
