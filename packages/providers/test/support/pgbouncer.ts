import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from './postgres-server.ts';

/** A pooler in front of a PostgreSQL server. */
export interface PgBouncer {
  /** As that of the server, but for the port. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Options for starting a pooler. */
export interface PgBouncerOptions {
  readonly poolMode: 'session' | 'transaction' | 'statement';
  /** The most connections to the server for a user and a database. Default: 20, as PgBouncer has it. */
  readonly poolSize?: number | undefined;
  /** More lines of its configuration. */
  readonly settings?: readonly string[] | undefined;
}

/** The path of the program, which Debian and Ubuntu have as the package `pgbouncer`; `undefined` without it. */
export const PGBOUNCER: string | undefined = [
  ...(process.env['PATH'] ?? '').split(delimiter),
  '/usr/sbin',
  '/usr/local/sbin',
]
  .map((folder) => join(folder, 'pgbouncer'))
  .find(isProgram);

/** The reason for tests that are left out. */
export const WITHOUT_PGBOUNCER =
  'left out: pgbouncer is not installed (apt-get install pgbouncer, or brew install pgbouncer)';

/** Starts PgBouncer in front of the server of a URL. */
export async function startPgBouncer(
  serverUrl: string,
  { poolMode, poolSize = 20, settings = [] }: PgBouncerOptions,
): Promise<PgBouncer> {
  if (PGBOUNCER === undefined) throw new Error(WITHOUT_PGBOUNCER);
  const { hostname, port, username, password } = new URL(serverUrl);
  // As root it runs as another user, who must be able to read here.
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-pgbouncer-'));
  await chmod(folder, 0o755);
  const own = await freePort();
  const users = join(folder, 'users.txt');
  const config = join(folder, 'pgbouncer.ini');
  await writeFile(users, `"${username}" "${decodeURIComponent(password)}"\n`);
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${port || '5432'}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${own}`,
    'unix_socket_dir =',
    'auth_type = plain',
    `auth_file = ${users}`,
    `pool_mode = ${poolMode}`,
    `default_pool_size = ${poolSize}`,
    'max_client_conn = 500',
    ...(process.getuid?.() === 0 ? ['user = nobody'] : []),
    ...settings,
  ];
  await writeFile(config, `${lines.join('\n')}\n`);
  const child = spawn(PGBOUNCER, [config], { stdio: ['ignore', 'ignore', 'pipe'] });
  await new Promise<void>((resolve, reject) => {
    let log = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (/process up/.test(log)) resolve();
    });
    child.on('error', reject);
    child.on('exit', () => reject(new Error(`pgbouncer did not start: ${log}`)));
  });
  const url = Object.assign(new URL(serverUrl), { hostname: '127.0.0.1', port: String(own) }).href;
  return {
    url,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const exit = once(child, 'exit');
        child.kill('SIGKILL');
        await exit;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
