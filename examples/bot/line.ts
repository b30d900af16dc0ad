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
  readonly replyToken?: string;
  readonly source?: {
    readonly userId?: string;
    readonly groupId?: string;
    readonly roomId?: string;
  };
  readonly message?: { readonly type: string; readonly text?: string };
}

/** LINE as a front: `events` receives the events of a webhook. Posted messages cannot be edited. */
export interface LineFront extends Front {
  events(events: readonly LineEvent[]): void;
}

export function line(client: LineClient): LineFront {
  let hear: ((message: Message) => Promise<void>) | undefined;
  return {
    maxLength: 5000,
    canEdit: false,
    listen: (onMessage) => {
      hear = onMessage;
      return new Promise(() => undefined);
    },
    events(events) {
      for (const { type, replyToken, source = {}, message } of events) {
        const { userId: from, groupId, roomId } = source;
        const room = groupId ?? roomId ?? from;
        const text = message?.type === 'text' ? message.text : undefined;
        if (type !== 'message' || from === undefined || room === undefined || text === undefined) {
          continue;
        }
        // One reply to each message is free.
        let token = replyToken;
        const post = async (answer: string): Promise<Posted> => {
          const messages: LineText[] = [{ type: 'text', text: answer }];
          const first = token;
          token = undefined;
          if (first === undefined) await client.pushMessage({ to: room, messages });
          else await client.replyMessage({ replyToken: first, messages });
          return {};
        };
        void hear?.({ room, from, text, post });
      }
    },
  };
}
