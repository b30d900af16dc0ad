import { type WebSocket, WebSocketServer } from 'ws';
import { type Answer, fieldsOf, type Received, type Served, serveApi } from './serve.ts';

/** A message of the bot on Discord. */
export interface DiscordPost {
  readonly id: string;
  readonly channel: string;
  /** The message that it replies to. */
  readonly replyTo: string | undefined;
  content: string;
  /** The people that it may notify, as in the request. */
  readonly mentions: unknown;
  edits: number;
}

interface Session {
  readonly id: string;
  /** The dispatched events, for clients that resume. */
  readonly sent: string[];
  socket: WebSocket | undefined;
  intents: number;
}

const GUILD = '100000000000000001';
const BOT = '100000000000000002';
const MESSAGE_CONTENT = 1 << 15;
const user = (id: string, username: string, bot = false): object => {
  return { id, username, discriminator: '0', global_name: null, avatar: null, bot };
};

/** Discord's gateway (hello, identify, heartbeat, resume) and its REST API with rate limits. */
export class FakeDiscord implements AsyncDisposable {
  readonly token = 'token';
  readonly posts: DiscordPost[] = [];
  readonly bot = BOT;
  /** Channels of the guild. */
  readonly channels = ['200000000000000001', '200000000000000002'];
  /** Channels in which the bot may not write. */
  readonly closed = new Set<string>();
  /** Messages of people that are deleted. */
  readonly deleted = new Set<string>();
  /** Requests that are refused because there are too many, one after the other. */
  limited = 0;
  /** How many were. */
  refusals = 0;
  /** How often a client resumed its session. */
  resumed = 0;
  readonly #sessions = new Map<string, Session>();
  #served: Served | undefined;
  #gateway: WebSocketServer | undefined;
  #ids = 0;

  static async start(): Promise<FakeDiscord> {
    const discord = new FakeDiscord();
    discord.#served = await serveApi((request) => discord.#answer(request));
    discord.#gateway = new WebSocketServer({ server: discord.#served.server });
    discord.#gateway.on('connection', (socket) => discord.#connect(socket));
    return discord;
  }

  /** The option `rest.api` of a client. */
  get url(): string {
    return `${this.#served?.url}/api`;
  }

  /** Dispatches a message of a person. Returns its id. */
  say(content: string, more: object = {}): string {
    const message = {
      id: this.#next(),
      channel_id: this.channels[0],
      guild_id: GUILD,
      type: 0,
      content,
      author: user('300000000000000001', 'ann'),
      member: { roles: [], joined_at: '2026-01-01T00:00:00.000Z', deaf: false, mute: false },
      timestamp: new Date().toISOString(),
      edited_timestamp: null,
      tts: false,
      mention_everyone: false,
      mentions: [],
      mention_roles: [],
      attachments: [],
      embeds: [],
      pinned: false,
      ...more,
    };
    this.#dispatch('MESSAGE_CREATE', message);
    return message.id;
  }

  /** Dispatches any event. */
  event(name: string, data: object): void {
    this.#dispatch(name, data);
  }

  /** Loses all connections, as the gateway does now and then; clients resume. */
  drop(): void {
    for (const socket of this.#gateway?.clients ?? []) socket.close(4000);
  }

  #next(): string {
    return `4${String(++this.#ids).padStart(17, '0')}`;
  }

  #connect(socket: WebSocket): void {
    const send = (data: object): void => socket.send(JSON.stringify(data));
    send({ op: 10, d: { heartbeat_interval: 41_250 } });
    socket.on('message', (data: Buffer) => {
      const { op, d } = fieldsOf(data.toString());
      const fields = typeof d === 'object' && d !== null ? { ...d } : {};
      const given: Readonly<Record<string, unknown>> = fields;
      if (op === 1) send({ op: 11 });
      else if ((op === 2 || op === 6) && given['token'] !== this.token) socket.close(4004);
      else if (op === 2) this.#identify(socket, Number(given['intents']));
      else if (op === 6) this.#resume(socket, String(given['session_id']), Number(given['seq']));
    });
  }

  #identify(socket: WebSocket, intents: number): void {
    const session: Session = { id: `s${this.#sessions.size}`, sent: [], socket, intents };
    this.#sessions.set(session.id, session);
    const gateway = this.#served?.url.replace('http', 'ws');
    this.#dispatch('READY', {
      v: 10,
      user: user(BOT, 'bot', true),
      guilds: [{ id: GUILD, unavailable: true }],
      session_id: session.id,
      resume_gateway_url: gateway,
      application: { id: BOT, flags: 0 },
    });
    const everyone = {
      id: GUILD,
      name: '@everyone',
      permissions: '0',
      position: 0,
      color: 0,
      flags: 0,
    };
    this.#dispatch('GUILD_CREATE', {
      id: GUILD,
      name: 'guild',
      owner_id: '300000000000000001',
      roles: [everyone],
      emojis: [],
      stickers: [],
      features: [],
      members: [{ user: user(BOT, 'bot', true), roles: [], joined_at: '2026-01-01T00:00:00.000Z' }],
      channels: this.channels.map((id, position) => ({
        id,
        type: 0,
        name: `c${position}`,
        position,
        permission_overwrites: [],
      })),
      threads: [],
      presences: [],
      voice_states: [],
      guild_scheduled_events: [],
      stage_instances: [],
      member_count: 2,
    });
  }

  #resume(socket: WebSocket, id: string, seq: number): void {
    const session = this.#sessions.get(id);
    if (!session) {
      socket.send(JSON.stringify({ op: 9, d: false }));
      return;
    }
    session.socket = socket;
    for (const event of session.sent.slice(seq)) socket.send(event);
    this.resumed += 1;
    socket.send(JSON.stringify({ op: 0, t: 'RESUMED', s: session.sent.length, d: {} }));
  }

  #dispatch(t: string, data: object): void {
    for (const session of this.#sessions.values()) {
      const isHidden = t === 'MESSAGE_CREATE' && (session.intents & MESSAGE_CONTENT) === 0;
      const d = isHidden ? { ...data, content: '', attachments: [], embeds: [] } : data;
      const event = JSON.stringify({ op: 0, t, s: session.sent.length + 1, d });
      session.sent.push(event);
      if (session.socket?.readyState === 1) session.socket.send(event);
    }
  }

  #answer({ method, path, headers, body }: Received): Answer {
    if (headers.authorization !== `Bot ${this.token}`) return failed(401, 0, '401: Unauthorized');
    if (path === '/api/v10/gateway/bot') {
      const limit = { total: 1000, remaining: 999, reset_after: 0, max_concurrency: 1 };
      const url = this.#served?.url.replace('http', 'ws');
      return { json: { url, shards: 1, session_start_limit: limit } };
    }
    const [, channel = '', id] =
      /^\/api\/v10\/channels\/(\d+)\/messages(?:\/(\d+))?$/.exec(path) ?? [];
    if (!this.channels.includes(channel)) return failed(404, 10_003, 'Unknown Channel');
    if (this.limited > 0) {
      this.limited -= 1;
      this.refusals += 1;
      return {
        status: 429,
        headers: { 'retry-after': '1', 'x-ratelimit-scope': 'user' },
        json: { message: 'You are being rate limited.', retry_after: 0.2, global: false },
      };
    }
    if (this.closed.has(channel)) return failed(403, 50_013, 'Missing Permissions');
    const post = this.posts.find((one) => one.id === id && one.channel === channel);
    if (id !== undefined && !post) return failed(404, 10_008, 'Unknown Message');
    if (method === 'DELETE' && post) {
      this.posts.splice(this.posts.indexOf(post), 1);
      return { status: 204 };
    }
    const {
      content = '',
      allowed_mentions: mentions,
      message_reference: reference,
    } = fieldsOf(body);
    if (typeof content !== 'string' || content.trim() === '') {
      return failed(400, 50_006, 'Cannot send an empty message');
    }
    if (content.length > 2000) return failed(400, 50_035, 'Invalid Form Body');
    if (method === 'PATCH' && post) {
      Object.assign(post, { content, edits: post.edits + 1 });
      return { json: this.#messageOf(post) };
    }
    const { message_id: replyTo, fail_if_not_exists: fails = true } = { ...Object(reference) };
    if (this.deleted.has(replyTo) && fails === true) return failed(400, 50_035, 'Unknown message');
    const made = { id: this.#next(), channel, replyTo, content, mentions, edits: 0 };
    this.posts.push(made);
    const json = this.#messageOf(made);
    this.#dispatch('MESSAGE_CREATE', json);
    return { json };
  }

  #messageOf({ id, channel, content }: DiscordPost): object {
    const author = user(BOT, 'bot', true);
    const time = { timestamp: new Date().toISOString(), edited_timestamp: null };
    const lists = { mentions: [], mention_roles: [], attachments: [], embeds: [] };
    return {
      id,
      channel_id: channel,
      guild_id: GUILD,
      type: 19,
      content,
      author,
      ...time,
      ...lists,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#gateway?.clients ?? []) socket.terminate();
    await this.#served?.close();
  }
}

function failed(status: number, code: number, message: string): Answer {
  return { status, json: { code, message } };
}
