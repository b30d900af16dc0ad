import { isOutOfFiles, messageOf } from '../errors.ts';
import { toPeerError, PeerError } from '../peer.ts';
import { StorageError } from '../storage/storage-error.ts';
import {
  betterSqlite3Driver,
  findBetterSqlite3,
  isAtLeast,
  type Runtime,
  type Unusable,
  unusableHere,
} from './better-sqlite3-driver.ts';
import { nodeSqliteDriver, type NodeSqlite } from './node-sqlite-driver.ts';
import {
  MEMORY,
  SQLITE_DRIVERS,
  type SqliteDriver,
  type SqliteDriverName,
} from './sqlite-driver.ts';

/** Names the driver for all databases that name none. */
const VARIABLE = 'VIZPROMPT_SQLITE';
/** The first Node whose `node:sqlite` reports transactions and the columns of a statement. */
const FIRST_NODE = [22, 16] as const;

const loaded = new Map<SqliteDriverName, SqliteDriver>();

/**
 * Loads the library that opens SQLite files, when it is first needed: the one that is named, or that
 * `VIZPROMPT_SQLITE` names. Otherwise on Node better-sqlite3, where it is installed, built and fits; else, and on
 * Bun and Deno first, `node:sqlite`.
 *
 * @throws StorageError with the code `no-sqlite` if none can be used, with the command that helps; `misuse` for a
 * driver that does not exist; `io` if too many files are open to load it.
 */
export async function loadSqlite(
  driver: SqliteDriverName | undefined = namedDriver(),
): Promise<SqliteDriver> {
  const failures: Unusable[] = [];
  for (const name of driver === undefined ? preferredDrivers() : [checked(driver, 'driver')]) {
    const found = loaded.get(name) ?? (await LOADERS[name]());
    if ('name' in found) {
      loaded.set(name, found);
      return found;
    }
    failures.push(found);
  }
  const [first] = failures;
  throw new StorageError(
    'no-sqlite',
    `cannot open SQLite: ${failures.map(({ reason }) => reason).join('; ')}. Fix: ${first?.fix}`,
    { context: { driver: driver ?? 'any' } },
  );
}

function namedDriver(): SqliteDriverName | undefined {
  const name = process.env[VARIABLE];
  return name ? checked(name, VARIABLE) : undefined;
}

function checked(name: string, place: string): SqliteDriverName {
  const driver = SQLITE_DRIVERS.find((known) => known === name);
  if (driver !== undefined) return driver;
  const known = SQLITE_DRIVERS.map((each) => `'${each}'`).join(' or ');
  throw new StorageError('misuse', `${place}: expected ${known}, got '${name}'`);
}

/** Bun and Deno have SQLite inside, and load native packages with limits. */
function preferredDrivers(): readonly SqliteDriverName[] {
  const { bun, deno } = process.versions;
  return bun || deno ? SQLITE_DRIVERS.toReversed() : SQLITE_DRIVERS;
}

const LOADERS: Readonly<Record<SqliteDriverName, () => Promise<SqliteDriver | Unusable>>> = {
  'better-sqlite3': loadBetterSqlite3,
  'node:sqlite': async () => loadNodeSqlite(),
};

async function loadBetterSqlite3(): Promise<SqliteDriver | Unusable> {
  const installed = findBetterSqlite3();
  const unusable = installed && unusableHere(installed, runtime());
  if (unusable) return unusable;
  try {
    const { default: Sqlite } = await import('better-sqlite3');
    // The native part is loaded only now.
    new Sqlite(MEMORY).close();
    return betterSqlite3Driver(Sqlite);
  } catch (cause) {
    const error = toPeerError(cause, 'better-sqlite3');
    if (PeerError.isInstance(error)) {
      const fix =
        runtime().napi < 10 ? 'npm install better-sqlite3@12' : 'npm install better-sqlite3';
      return { reason: 'better-sqlite3 is not installed', fix };
    }
    if (StorageError.isInstance(error) || isOutOfFiles(error)) throw error;
    const [reason] = messageOf(error).split('\n');
    return {
      reason: `better-sqlite3 is not built for this runtime: ${reason}`,
      // npm would build it for Node.
      fix: process.versions['electron'] ? 'npx @electron/rebuild' : 'npm rebuild better-sqlite3',
    };
  }
}

function loadNodeSqlite(): SqliteDriver | Unusable {
  const { node } = process.versions;
  const sqlite = isAtLeast(node, FIRST_NODE) ? builtinSqlite() : undefined;
  if (sqlite) return nodeSqliteDriver(sqlite);
  return {
    reason: `node:sqlite needs Node 22.16 or newer, this is ${node}`,
    fix: 'use Node 22.16 or newer',
  };
}

/** Returns `node:sqlite`, which is not imported: some bundlers know no such module. */
function builtinSqlite(): NodeSqlite | undefined {
  const { emitWarning } = process;
  // Node warns that it is experimental when it is loaded, which is within this call.
  process.emitWarning = () => {};
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the types of the oldest Node lack it
    return process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

function runtime(): Runtime {
  const { node, napi } = process.versions;
  return { node, napi: Number(napi ?? 0) };
}
