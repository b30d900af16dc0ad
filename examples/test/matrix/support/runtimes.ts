import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.ts';

const PLATFORM = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** A runtime as npm has it: where its binary is in the package, and how it runs a file. */
export interface Runtime {
  readonly package: string;
  readonly binary: string;
  readonly args: readonly string[];
}

const nodeOf = (version: string): Runtime => ({
  package: `node-${PLATFORM}@${version}`,
  binary: `node_modules/node-${PLATFORM}/bin/node`,
  args: [],
});

export const RUNTIMES = {
  'Node 20.19': nodeOf('20.19.0'),
  'Node 22.14': nodeOf('22.14.0'),
  'Node 22': nodeOf('22'),
  'Node 24': nodeOf('24'),
  'Node 26': nodeOf('26'),
  Bun: {
    package: `@oven/bun-${PLATFORM}`,
    binary: `node_modules/@oven/bun-${PLATFORM}/bin/bun`,
    args: [],
  },
  Deno: {
    package: `@deno/${PLATFORM}-glibc`,
    binary: `node_modules/@deno/${PLATFORM}-glibc/deno`,
    args: ['run', '--allow-all'],
  },
} satisfies Readonly<Record<string, Runtime>>;

export type RuntimeName = keyof typeof RUNTIMES;

/** Downloads a runtime into a folder once, and returns its binary. */
export async function binaryOf(runtime: Runtime, place: string): Promise<string> {
  const folder = join(place, `runtime-${runtime.package.replaceAll(/\W/g, '-')}`);
  const path = join(folder, runtime.binary);
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    const args = ['install', '--prefix', folder, '--force', '--prefer-offline', runtime.package];
    await run('npm', args, { cwd: folder });
    chmodSync(path, 0o755);
  }
  return path;
}
