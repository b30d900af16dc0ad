import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A line to a PostgreSQL server that can break before an answer has come, and can be slow. */
export class FaultyLine {
  /** The server, by this line. */
  readonly url: string;
  /** Answers that were lost. */
  lost = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #statement: string | undefined;
  #late: { readonly statement: string; readonly ms: number } | undefined;
  #then: () => void = () => undefined;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async open(url: string): Promise<FaultyLine> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const own = new URL(url);
    const { hostname, port } = own;
    own.hostname = '127.0.0.1';
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens to a port
    own.port = String((server.address() as AddressInfo).port);
    const line = new FaultyLine(server, own.href);
    server.on('connection', (client) => line.#join(client, connect(Number(port), hostname)));
    return line;
  }

  /** Breaks once, when the server answers to the next statement with these words. */
  loseAnswerTo(statement: string, then: () => void = () => undefined): void {
    this.#statement = statement;
    this.#then = then;
  }

  /** Statements with these words come to the server later by this many milliseconds. */
  delay(statement: string, ms: number): void {
    this.#late = { statement, ms };
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }

  #join(client: Socket, server: Socket): void {
    let breaks = false;
    const end = (): void => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('error', end).on('close', end);
    }
    client.on('data', (sent) => {
      if (this.#statement !== undefined && sent.includes(this.#statement)) {
        this.#statement = undefined;
        breaks = true;
      }
      const { statement, ms } = this.#late ?? { statement: '', ms: 0 };
      if (statement === '' || !sent.includes(statement)) server.write(sent);
      else {
        client.pause();
        setTimeout(() => {
          server.write(sent);
          client.resume();
        }, ms);
      }
    });
    server.on('data', (answer) => {
      if (breaks) {
        this.lost++;
        this.#then();
        end();
      } else client.write(answer);
    });
  }
}
