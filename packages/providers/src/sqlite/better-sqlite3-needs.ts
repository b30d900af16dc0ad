import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findInstalled } from '../find-installed.ts';

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
export interface InstalledPackage {
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
