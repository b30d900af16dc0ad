import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadEmbeddedPostgres } from './embedded-postgres.ts';

/** A PostgreSQL server for tests. */
export interface PostgresServer {
  readonly url: string;
  /** Stops the server and starts it again, as an update would; `onDown` is called in between. */
  restart(onDown?: () => void): Promise<void>;
  /** Starts the server again in recovery, as a replica that only reads. */
  becomeReplica(): Promise<void>;
  stop(): Promise<void>;
}

/** How a server is started. */
export interface PostgresServerOptions {
  /**
   * True if what is committed survives a crash of the server. Only a test that crashes none does
   * without, which is several times as fast. Default: true.
   */
  readonly isDurable?: boolean | undefined;
}

const NOT_DURABLE = ['fsync', 'full_page_writes', 'synchronous_commit'];

/** Starts a server of its own, with a new and empty cluster. */
export async function startPostgres(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const switchedOff = options.isDurable === false ? NOT_DURABLE : [];
  // As root the server runs as the user postgres, who must be able to write here.
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-postgres-'));
  await chmod(folder, 0o777);
  const EmbeddedPostgres = await loadEmbeddedPostgres();
  const port = await freePort();
  let onReadOnly = (): void => undefined;
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'cluster'),
    port,
    user: 'vizprompt',
    password: 'secret-password',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: [
      '--no-sync',
      '--encoding=UTF8',
      '--locale=C.UTF-8',
      '--locale-provider=icu',
      '--icu-locale=en-US',
    ],
    postgresFlags: [
      '-c',
      'max_connections=200',
      ...switchedOff.flatMap((name) => ['-c', `${name}=off`]),
    ],
    onLog: (message) => {
      if (message.includes('ready to accept read-only connections')) onReadOnly();
    },
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  return {
    url: `postgres://vizprompt:secret-password@localhost:${port}/postgres`,
    async restart(onDown) {
      await server.stop();
      onDown?.();
      await server.start();
    },
    async becomeReplica() {
      await server.stop();
      const signal = join(folder, 'cluster', 'standby.signal');
      await writeFile(signal, '');
      await chmod(signal, 0o644);
      const reading = new Promise<void>((resolve) => (onReadOnly = resolve));
      // It waits for a primary, which a server in recovery never is.
      const started = server.start().catch(() => undefined);
      await Promise.race([reading, started]);
    },
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns a port that no program listens on. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
