import { createHmac } from 'node:crypto';
import { type Answer, fieldsOf, type Received, type Served, serveApi } from './serve.ts';

/** A message on Slack. */
export interface SlackPost {
  readonly channel: string;
  readonly ts: string;
  readonly thread: string | undefined;
  text: string;
  isDeleted: boolean;
  /** How often it was edited. */
  edits: number;
}

/** The event of a message. */
export interface SlackEvent {
  readonly ts: string;
  readonly [field: string]: unknown;
}

/** Slack's Web API, and its events over HTTP with signatures. */
export class FakeSlack implements AsyncDisposable {
  readonly secret = 'slack-secret';
  readonly token = 'xoxb-token';
  readonly posts: SlackPost[] = [];
  /** Channels without the bot. */
  readonly closed = new Set<string>();
  /** Requests that are refused because there are too many, one after the other. */
  limited = 0;
  /** How many were. */
  refusals = 0;
  #served: Served | undefined;
  #ts = 1_800_000_000;
  #events = 0;

  static async start(): Promise<FakeSlack> {
    const slack = new FakeSlack();
    slack.#served = await serveApi((request) => slack.#answer(request));
    return slack;
  }

  /** The option `clientOptions.slackApiUrl` of an app. */
  get url(): string {
    return `${this.#served?.url}/api/`;
  }

  /** Returns the event of a message. */
  message(text: string, more: object = {}): SlackEvent {
    const ts = this.#next();
    return {
      type: 'message',
      channel: 'C1',
      channel_type: 'channel',
      user: 'UANN',
      ts,
      event_ts: ts,
      text,
      ...more,
    };
  }

  /** Delivers an event to an app. Returns its status. */
  async deliver(
    webhook: string,
    event: object,
    { retry, secret = this.secret }: { retry?: number; secret?: string } = {},
  ): Promise<number> {
    const body = JSON.stringify({
      token: 'x',
      team_id: 'T1',
      api_app_id: 'A1',
      event,
      type: 'event_callback',
      event_id: `Ev${++this.#events}`,
      event_time: 1_800_000_000,
      authorizations: [{ team_id: 'T1', user_id: 'UBOT', is_bot: true }],
    });
    const time = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', secret).update(`v0:${time}:${body}`).digest('hex');
    const headers = {
      'content-type': 'application/json',
      'x-slack-request-timestamp': time,
      'x-slack-signature': `v0=${signature}`,
      ...(retry !== undefined && {
        'x-slack-retry-num': String(retry),
        'x-slack-retry-reason': 'http_timeout',
      }),
    };
    return (await fetch(webhook, { method: 'POST', headers, body })).status;
  }

  #next(): string {
    return `${++this.#ts}.000100`;
  }

  #answer({ path, headers, body }: Received): Answer {
    if (headers.authorization !== `Bearer ${this.token}`) return failed('invalid_auth');
    const method = path.replace('/api/', '');
    if (method === 'auth.test') {
      return { json: { ok: true, url: this.url, team_id: 'T1', user_id: 'UBOT', bot_id: 'BBOT' } };
    }
    if (this.limited > 0) {
      this.limited -= 1;
      this.refusals += 1;
      return {
        status: 429,
        headers: { 'retry-after': '1' },
        json: { ok: false, error: 'ratelimited' },
      };
    }
    const isJson = headers['content-type']?.includes('json') === true;
    const given = isJson ? fieldsOf(body) : Object.fromEntries(new URLSearchParams(body));
    const [channel, ts, text] = [given['channel'], given['ts'], given['text']].map(String);
    if (channel === undefined || text === undefined) return failed('invalid_arguments');
    if (this.closed.has(channel)) return failed('not_in_channel');
    if (method === 'chat.postMessage') {
      if (text === '' || text === 'undefined') return failed('no_text');
      if (text.length > 40_000) return failed('msg_too_long');
      const { thread_ts: under } = given;
      const thread = typeof under === 'string' ? under : undefined;
      const post = { channel, ts: this.#next(), thread, text, isDeleted: false, edits: 0 };
      this.posts.push(post);
      return { json: { ok: true, channel, ts: post.ts, message: { text } } };
    }
    const post = this.posts.find((one) => one.channel === channel && one.ts === ts);
    if (!post || post.isDeleted) return failed('message_not_found');
    if (method === 'chat.delete') post.isDeleted = true;
    else if (method !== 'chat.update') return failed('unknown_method');
    else if (text.length > 4000) return failed('msg_too_long');
    else Object.assign(post, { text, edits: post.edits + 1 });
    return { json: { ok: true, channel, ts, text } };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#served?.close();
  }
}

function failed(error: string): Answer {
  return { json: { ok: false, error } };
}
