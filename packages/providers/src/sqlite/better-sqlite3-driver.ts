import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { findInstalled } from '../find-installed.ts';
import type { SqlValue } from '../storage/database.ts';
import { claimFile } from './own-files.ts';
import {
  type DriverConnection,
  type DriverStatement,
  MEMORY,
  type OpenConnectionOptions,
  type SqliteDriver,
} from './sqlite-driver.ts';

/** The class of better-sqlite3. */
export type BetterSqlite3Class = typeof BetterSqlite3;

/** Offsets of the journal mode in a header: 1 for a rollback journal, 2 for a write-ahead log. */
const JOURNAL_MODES = [18, 19];
const ROLLBACK = 1;

const NAME = 'better-sqlite3';

/** Creates the driver on the package better-sqlite3. */
export function betterSqlite3Driver(Sqlite: BetterSqlite3Class): SqliteDriver {
  return {
    name: NAME,
    open: (path: string, { readonly = false }: OpenConnectionOptions = {}) =>
      path === MEMORY
        ? new BetterConnection(new Sqlite(path, { timeout: 0 }), () => {})
        : claimFile(path, NAME, (release) => {
            const options = { timeout: 0, readonly, fileMustExist: readonly };
            return new BetterConnection(new Sqlite(path, options), release);
          }),
    openImmutable(path) {
      const bytes = readFileSync(path);
      for (const at of JOURNAL_MODES) bytes[at] = ROLLBACK;
      return new BetterConnection(new Sqlite(bytes, { readonly: true }), () => {});
    },
  };
}

class BetterConnection implements DriverConnection {
  readonly #database: BetterSqlite3.Database;
  readonly #release: () => void;

  constructor(database: BetterSqlite3.Database, release: () => void) {
    this.#database = database;
    this.#release = release;
  }

  get isOpen(): boolean {
    return this.#database.open;
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction;
  }

  prepare(sql: string): DriverStatement {
    return new BetterStatement(this.#database.prepare(sql));
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  loadExtension(file: string): void {
    this.#database.loadExtension(file);
  }

  close(): void {
    if (!this.isOpen) return;
    this.#database.close();
    this.#release();
  }
}

class BetterStatement implements DriverStatement {
  readonly returnsRows: boolean;
  readonly isReadonly: boolean;
  readonly #statement: BetterSqlite3.Statement;

  constructor(statement: BetterSqlite3.Statement) {
    this.#statement = statement;
    this.returnsRows = statement.reader;
    this.isReadonly = statement.readonly;
    if (statement.reader) statement.safeIntegers(true);
  }

  run(values: readonly SqlValue[]): number {
    return this.#statement.run(...values).changes;
  }

  all(values: readonly SqlValue[]): Record<string, unknown>[] {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- rows are objects unless others are asked for
    return this.#statement.all(...values) as Record<string, unknown>[];
  }
}

/** Why a driver cannot be used here, and what to do about it. */
export interface Unusable {
  readonly reason: string;
  /** A command, or what to do in words. */
  readonly fix: string;
}

/** The runtime that a native package would be loaded into. */
export interface Runtime {
  /** As `process.versions.node` has it. */
  readonly node: string;
  /** The version of Node-API, as `process.versions.napi` has it. */
  readonly napi: number;
}

/** A package that is installed. */
interface InstalledPackage {
  readonly version: string;
  /** The Node-API that its native part is built for; `undefined` where it is built for one version of Node. */
  readonly napi: number | undefined;
}

/** Version 13 is the first on Node-API; see https://github.com/WiseLibs/better-sqlite3/issues/1514. */
const FIRST_ON_NAPI = { major: 13, napi: 10 };
/** From this Node on, versions before 13 end the process when their objects are collected. */
const LAST_WITHOUT_NAPI = [24, 19] as const;

/**
 * Finds the better-sqlite3 that an import would load, without loading it: a native part for a newer Node-API ends
 * the process without a word.
 */
export function findBetterSqlite3(): InstalledPackage | undefined {
  const manifest = findInstalled('better-sqlite3/package.json', import.meta.url);
  if (manifest === undefined) return undefined;
  const { version }: { version?: unknown } = JSON.parse(readFileSync(manifest, 'utf8'));
  return { version: String(version), napi: napiOf(dirname(manifest), String(version)) };
}

/** Reads which Node-API a package is built for from its build file, which bundles may lack. */
function napiOf(folder: string, version: string): number | undefined {
  const expected = majorOf(version) >= FIRST_ON_NAPI.major ? FIRST_ON_NAPI.napi : undefined;
  try {
    const build = readFileSync(join(folder, 'binding.gyp'), 'utf8');
    const named = /\bNAPI_VERSION=(\d+)/.exec(build)?.[1];
    return named === undefined ? expected : Number(named);
  } catch {
    return expected;
  }
}

/** Returns why a better-sqlite3 cannot be loaded into a runtime, or `undefined` where it can. */
export function unusableHere(
  { version, napi }: InstalledPackage,
  runtime: Runtime,
): Unusable | undefined {
  if (napi !== undefined && napi > runtime.napi) {
    const reason = `better-sqlite3 ${version} needs Node-API ${napi}, and Node ${runtime.node} has ${runtime.napi}`;
    return { reason, fix: 'npm install better-sqlite3@12' };
  }
  if (napi === undefined && isAtLeast(runtime.node, LAST_WITHOUT_NAPI)) {
    const reason = `better-sqlite3 ${version} ends the process on Node ${runtime.node}, when its objects are collected`;
    return { reason, fix: 'npm install better-sqlite3@13' };
  }
  return undefined;
}

/** Checks whether a version is at least that of a major and a minor number. */
export function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

function majorOf(version: string): number {
  return Number.parseInt(version, 10);
}
