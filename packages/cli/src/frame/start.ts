import { writeSync } from 'node:fs';
import nodeModule from 'node:module';
import { isError } from '@vizprompt/providers/internal';

/** Node 22 and newer keep what they compiled, so that the next call starts faster. */
function keepCompiled(): void {
  const enable: unknown = Reflect.get(nodeModule, 'enableCompileCache');
  if (typeof enable === 'function') Reflect.apply(enable, nodeModule, []);
}

/**
 * Loads and runs a tool. When its modules cannot be loaded, it reports that on standard error: nothing else of the
 * program is there to do so.
 *
 * @param load - Imports the tool, which runs and ends the process.
 */
export async function startTool(name: string, load: () => unknown): Promise<void> {
  keepCompiled();
  try {
    await load();
  } catch (error) {
    const code = isError(error) && 'code' in error ? String(error.code) : '';
    // Anything else is a fault of the program, and its stack says where.
    if (code !== 'EMFILE' && code !== 'ENFILE') throw error;
    const message = `cannot load the program: ${String(error)}; ${HINT}`;
    const json = { error: { name: 'Error', code: 'io', message, exitCode: FAILURE } };
    const isJson = process.argv.includes('--json');
    writeSync(2, isJson ? `${JSON.stringify(json)}\n` : `${name}: ${message}\n`);
    process.exitCode = FAILURE;
  }
}

const FAILURE = 1;
const HINT = 'raise the limit of open files (`ulimit -n 1024`), or close what holds them open';
