import { once } from 'node:events';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { VizPrompt, type OpenOptions } from '@vizprompt/core';
import {
  asyncApiDocument,
  serveWebSocket,
  type ServeWebSocketOptions,
  type WebSocketService,
} from '@vizprompt/core/websocket';
import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { inMemoryStorage } from '@vizprompt/providers/node';
import { onTestFinished } from 'vitest';
import { WebSocket, type ClientOptions } from 'ws';

/** A message of the server, as far as tests look at it. */
export interface Wire {
  readonly id?: string | number;
  readonly status?: 'success' | 'error';
  readonly event?: string;
  readonly node_id?: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever the answer holds
  readonly data?: any;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly errors?: readonly { readonly field: string; readonly message: string }[];
    readonly retry_after_ms?: number;
  };
}

/** A project and its server, both closed when the test ends. */
export interface ServedProject {
  readonly vizprompt: VizPrompt;
  readonly server: WebSocketService;
  connect(options?: ClientOptions, protocols?: string[]): Promise<TestClient>;
}

export async function serveProject(
  options: ServeWebSocketOptions = {},
  project: Omit<OpenOptions, 'storage'> = {},
): Promise<ServedProject> {
  const storage = await inMemoryStorage();
  const vizprompt = await VizPrompt.open({ ...project, storage });
  const server = await serveWebSocket(vizprompt, { port: 0, closeTimeoutMs: 200, ...options });
  onTestFinished(async () => {
    await server.close();
    await vizprompt.close();
    await storage.close();
  });
  return { vizprompt, server, connect: (more, names) => connectTo(server.url, more, names) };
}

/** A client that checks each message of the server against the AsyncAPI document. */
export class TestClient {
  readonly socket: WebSocket;
  /** Everything that came, in order. */
  readonly messages: Wire[] = [];
  /** Resolves when the connection has ended. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  #count = 0;
  #waiting: (() => void)[] = [];

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString('utf8')) as Wire;
      this.messages.push(message);
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const go of waiting) go();
    });
    this.closed = once(socket, 'close').then(([code, reason]) => {
      for (const go of this.#waiting) go();
      return { code: Number(code), reason: String(reason) };
    });
  }

  /** The events of a name, as their data. */
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever the event holds
  events(name: string): any[] {
    return this.messages.filter(({ event }) => event === name).map(({ data }) => data);
  }

  send(message: JsonValue | string): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Sends an action and waits for its answer, which must be as the document says. */
  async ask(action: string, data?: JsonObject): Promise<Wire> {
    const id = `ask ${++this.#count}`;
    this.send({ id, action, ...(data === undefined ? {} : { data }) });
    const answer = await this.first((message) => message.id === id && 'status' in message);
    const name = answer.status === 'error' ? 'error' : `${action}_result`;
    const problem = problemOf(name, answer);
    if (problem !== undefined) throw new Error(`${name}: ${problem}`);
    return answer;
  }

  /** Like `ask`, for the code of an error. */
  async codeOf(action: string, data?: JsonObject): Promise<string | undefined> {
    return (await this.ask(action, data)).error?.code;
  }

  /** Returns the first message that fits, of those that came or will come. */
  async first(fits: (message: Wire) => boolean): Promise<Wire> {
    let seen = 0;
    for (;;) {
      for (; seen < this.messages.length; seen++) {
        const message = this.messages[seen]!;
        if (fits(message)) return message;
      }
      if (this.socket.readyState === WebSocket.CLOSED) throw new Error('the connection ended');
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
}

export async function connectTo(
  url: string,
  options: ClientOptions = {},
  protocols: string[] = [],
): Promise<TestClient> {
  const socket = new WebSocket(url, protocols, options);
  onTestFinished(() => socket.terminate());
  const client = new TestClient(socket);
  await once(socket, 'open');
  return client;
}

const document = asyncApiDocument() as {
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
};

type Validate = ReturnType<AjvJsonSchemaValidator['getValidator']>;

const validators = new Map<string, Validate>();

/** Returns the mistake in a message, by the schema of its name in the AsyncAPI document. */
export function problemOf(name: string, message: unknown): string | undefined {
  const { components } = document;
  if (!components.schemas[name]) return 'the document has no such message';
  const schema: object = { $ref: `#/components/schemas/${name}`, components };
  const validate: Validate =
    validators.get(name) ?? new AjvJsonSchemaValidator().getValidator(schema);
  validators.set(name, validate);
  const result = validate(message);
  return result.valid ? undefined : result.errorMessage;
}
