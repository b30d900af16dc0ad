import { createHmac } from 'node:crypto';
import { type Answer, fieldsOf, type Received, type Served, serveApi } from './serve.ts';

/** The Messaging API of LINE: reply tokens are good for one request and for a time, and webhooks are signed. */
export class FakeLine implements AsyncDisposable {
  readonly secret = 'line-secret';
  readonly token = 'line-token';
  /** The posted messages in order: by a reply or by a push. */
  readonly posted: { readonly by: 'reply' | 'push'; readonly to: string; readonly text: string }[] =
    [];
  /** People who blocked the bot, or left. */
  readonly gone = new Set<string>();
  readonly #rooms = new Map<string, string>();
  #served: Served | undefined;
  #tokens = 0;

  static async start(): Promise<FakeLine> {
    const line = new FakeLine();
    line.#served = await serveApi((request) => line.#answer(request));
    return line;
  }

  /** The option `baseURL` of the client. */
  get url(): string {
    return this.#served?.url ?? '';
  }

  /** Returns the event of a message, with a token for one reply. */
  message(
    text: string,
    { from = 'Uann', group, more = {} }: { from?: string; group?: string; more?: object } = {},
  ): object {
    const replyToken = `token-${++this.#tokens}`;
    this.#rooms.set(replyToken, group ?? from);
    return {
      type: 'message',
      mode: 'active',
      timestamp: Date.now(),
      source:
        group === undefined
          ? { type: 'user', userId: from }
          : { type: 'group', groupId: group, userId: from },
      webhookEventId: `event-${this.#tokens}`,
      deliveryContext: { isRedelivery: false },
      replyToken,
      message: { type: 'text', id: `m${this.#tokens}`, quoteToken: 'q', text },
      ...more,
    };
  }

  /** Lets all reply tokens expire, as after a minute. */
  expireTokens(): void {
    this.#rooms.clear();
  }

  /** Delivers events to a webhook. Returns its status. */
  async deliver(webhook: string, events: readonly object[], secret = this.secret): Promise<number> {
    const body = JSON.stringify({ destination: 'Ubot', events });
    const signature = createHmac('sha256', secret).update(body).digest('base64');
    const headers = { 'content-type': 'application/json', 'x-line-signature': signature };
    return (await fetch(webhook, { method: 'POST', headers, body })).status;
  }

  #answer({ path, headers, body }: Received): Answer {
    if (headers.authorization !== `Bearer ${this.token}`)
      return refused(401, 'Authentication failed');
    const by = path.endsWith('/reply') ? 'reply' : 'push';
    if (path !== `/v2/bot/message/${by}`) return refused(404, 'Not found');
    const { to, replyToken, messages } = fieldsOf(body);
    if (!Array.isArray(messages) || messages.length === 0 || messages.length > 5) {
      return refused(400, 'The request body has 1 error(s)');
    }
    const texts = messages.map(({ text }: { text?: unknown }) =>
      typeof text === 'string' ? text : '',
    );
    if (texts.some((text) => text === '' || text.length > 5000)) {
      return refused(400, 'The request body has 1 error(s)');
    }
    const room = by === 'push' ? to : this.#rooms.get(String(replyToken));
    if (by === 'reply') this.#rooms.delete(String(replyToken));
    if (typeof room !== 'string') return refused(400, 'Invalid reply token');
    if (this.gone.has(room)) return refused(by === 'push' ? 403 : 400, 'Failed to send messages');
    for (const text of texts) this.posted.push({ by, to: room, text });
    return { json: { sentMessages: texts.map((_, at) => ({ id: String(at) })) } };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#served?.close();
  }
}

function refused(status: number, message: string): Answer {
  return { status, json: { message } };
}
