import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join, parse } from 'node:path';
import { Script } from 'node:vm';

const DIGEST_BYTES = 32;
const HEAD = '(function (exports, require, module, __filename, __dirname, lazily) {';

/** Runs a file: with the variables of CommonJS, and `import`. */
type Run = (
  exports: object,
  require: NodeJS.Require,
  module: object,
  file: string,
  folder: string,
  lazily: (name: string) => Promise<unknown>,
) => void;

/**
 * Runs a CommonJS file, and keeps what V8 compiled of it for the next time, each command for itself: reading it
 * takes a fraction of the time of compiling. The cache is in `~/.ptta/compiled` and may be deleted at any
 * time; with NODE_DISABLE_COMPILE_CACHE nothing is cached, as with Node's own cache, which came with Node 22.
 *
 * @param command - The word that says what of the file runs.
 * @param lazily - `import`, which code that was kept has not.
 */
export function runCompiled(
  file: string,
  command: string,
  lazily: (name: string) => Promise<unknown>,
): void {
  const source = readFileSync(file);
  const path = keptPath(file, command);
  const cachedData = path === undefined ? undefined : readKept(path, source);
  const script = new Script(`${HEAD}${source.toString('utf8')}\n})`, {
    filename: file,
    columnOffset: -HEAD.length,
    ...(cachedData && { cachedData }),
  });
  if (path !== undefined && (!cachedData || script.cachedDataRejected === true)) {
    // By then it is known which functions the command needs.
    process.once('exit', (code) => {
      if (code === 0) keep(path, source, script.createCachedData());
    });
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the function of HEAD
  const run = script.runInThisContext() as Run;
  const module = { exports: {}, require: createRequire(file) };
  run(module.exports, module.require, module, file, dirname(file), lazily);
}

function keptPath(file: string, command: string): string | undefined {
  const { env, version, arch } = process;
  if (env['NODE_DISABLE_COMPILE_CACHE'] || !/^[a-z]+(?::[a-z]+)?$/.test(command)) return undefined;
  const name = `${parse(file).name}-${command.replace(':', '-')}-${version}-${arch}.bin`;
  return join(homedir(), '.ptta', 'compiled', name);
}

/** V8 trusts the cached code, so no other user may have written it, and not a bit may have changed. */
function readKept(path: string, source: Buffer): Buffer | undefined {
  try {
    if (process.getuid && statSync(path).uid !== process.getuid()) return undefined;
    const bytes = readFileSync(path);
    const data = bytes.subarray(DIGEST_BYTES);
    return bytes.subarray(0, DIGEST_BYTES).equals(digestOf(source, data)) ? data : undefined;
  } catch {
    return undefined;
  }
}

function keep(path: string, source: Buffer, data: Buffer): void {
  const made = `${path}.${process.pid}`;
  try {
    // One by one, as `recursive` never ends in a home folder such as /proc/x.
    for (const folder of [dirname(dirname(path)), dirname(path)]) {
      if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    }
    try {
      writeFileSync(made, Buffer.concat([digestOf(source, data), data]), { mode: 0o600 });
      renameSync(made, path);
    } finally {
      rmSync(made, { force: true });
    }
  } catch {
    // Without it the next start takes longer, and that is all.
  }
}

function digestOf(source: Buffer, data: Buffer): Buffer {
  return createHash('sha256').update(source).update(data).digest();
}
