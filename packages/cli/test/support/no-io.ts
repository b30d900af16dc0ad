import { PassThrough } from 'node:stream';
import { Interrupts } from '../../src/frame/interrupts.ts';
import type { ToolIo } from '../../src/frame/tool-io.ts';

/** Returns the environment of commands that are described and not run. */
export function noIo(): ToolIo {
  return {
    cwd: '/',
    env: {},
    home: '/',
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    interrupts: new Interrupts(() => {}),
  };
}
