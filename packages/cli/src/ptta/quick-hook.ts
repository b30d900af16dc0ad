import type { spawn } from 'node:child_process';
import { existsSync, readSync, writeSync } from 'node:fs';
import { constants, homedir, setPriority } from 'node:os';
import { join, resolve } from 'node:path';
import { spoolFolder, spoolHook } from '@vizprompt/memory/internal';
import { isError } from '@vizprompt/providers/internal';
import { memoryIn, projectMemory } from './memory-path.ts';

/** The words of a command line that only leaves a call. */
interface HookWords {
  readonly agent: (typeof AGENTS)[number];
  readonly data?: string;
}

const AGENTS = ['claude-code', 'codex', 'copilot', 'gemini', 'opencode'] as const;

/**
 * Leaves a call of an agent's hook in the spool of its memory, where no answer is wanted: the agent waits for little more
 * than the start of Node. Other processes store it: `hooks:ingest`, which is started when the agent has answered, and
 * everything that opens the memory.
 *
 * @param args - The words after `ptta`.
 * @returns False if the command is to run in full: another one, or the start of a session.
 */
export function quickHook(args: readonly string[]): boolean {
  const words = hookWords(args);
  const target = words && targetOf(words);
  if (words === undefined || target === undefined) return false;
  const input = readInput();
  const outcome = leave(words.agent, target.spool, input);
  if (outcome === undefined) setReadInput(input);
  if (outcome === 'ended') startIngest(target);
  return outcome !== undefined;
}

function hookWords([command, ...words]: readonly string[]): HookWords | undefined {
  if (command !== 'hook') return undefined;
  let found: HookWords = { agent: 'claude-code' };
  for (let at = 0; at < words.length; at += 2) {
    const [name, value = ''] = words.slice(at, at + 2);
    const agent = AGENTS.find((known) => known === value);
    if (name === '--agent' && agent !== undefined) found = { ...found, agent };
    else if (name === '--data' && value !== '') found = { ...found, data: value };
    else return undefined;
  }
  return found;
}

/** Where a call is left, and how it is stored. */
interface Target {
  readonly spool: string;
  /** Further words of the command that stores it, and where that runs. */
  readonly words: readonly string[];
  readonly cwd: string;
}

/** Returns where calls wait; `undefined` if there is no memory that the command line names, or no working directory. */
function targetOf({ data }: HookWords): Target | undefined {
  try {
    const cwd = process.cwd();
    const home = join(homedir(), '.ptta');
    if (data !== undefined) {
      const folder = resolve(cwd, data);
      const path = memoryIn(folder);
      if (!existsSync(path)) return undefined;
      return { spool: spoolFolder(home, path), words: ['--data', folder], cwd: folder };
    }
    const project = projectMemory(cwd, home);
    // The consent of the user is looked up when the call is stored.
    if (project !== undefined) {
      return { spool: spoolFolder(home, memoryIn(project), true), words: [], cwd };
    }
    return { spool: spoolFolder(home, memoryIn(home)), words: [], cwd: home };
  } catch {
    return undefined;
  }
}

function leave(
  agent: HookWords['agent'],
  spool: string,
  input: string,
): ReturnType<typeof spoolHook> {
  try {
    return spoolHook({ agent, input, spool });
  } catch (error) {
    const why = isError(error) ? error.message : String(error);
    tell(
      `cannot leave the call of the hook in ${spool}: ${why}. Free some space, or make the folder writable`,
    );
    return undefined;
  }
}

function tell(message: string): void {
  try {
    writeSync(2, `ptta: ${message}\n`);
  } catch {
    // Standard error is closed.
  }
}

const PART_BYTES = 65_536;
const PAUSE_MS = 2;

/** Reads standard input without a stream, which takes longer to make than the line of an agent to read. */
function readInput(): string {
  const parts: Buffer[] = [];
  for (;;) {
    const part = Buffer.allocUnsafe(PART_BYTES);
    try {
      const bytes = readSync(0, part);
      if (bytes === 0) break;
      parts.push(part.subarray(0, bytes));
    } catch (error) {
      const code = isError(error) && 'code' in error ? error.code : undefined;
      // A pipe that does not block has nothing yet; on Windows a pipe ends with an error, as does one that is closed.
      if (code !== 'EAGAIN') break;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Starts a process that stores what was left. The agent does not wait for it, and needs no answer. */
function startIngest({ words, cwd }: Target): void {
  const [, bin = ''] = process.argv;
  try {
    // Most calls start nothing, and loading the module takes time.
    const children: { spawn: typeof spawn } = process.getBuiltinModule('node:child_process');
    const child = children.spawn(process.execPath, [bin, 'hooks:ingest', ...words], {
      cwd,
      detached: true,
      stdio: 'ignore',
      windowsHide: true,
    });
    child.on('error', () => {});
    child.unref();
    // The agent, and this process, come first.
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It is stored when the memory is opened.
  }
}

/** The program that reads standard input and the one that records the call are built into files of their own. */
const KEY = Symbol.for('@vizprompt/cli/hook-input');

/** Stores the input of a hook that was read already, for the command `hook` of this process. */
function setReadInput(input: string): void {
  Reflect.set(globalThis, KEY, input);
}

/** Returns the input of a hook that was read already; `undefined` if standard input is to be read. */
export function readInputOf(): string | undefined {
  const input: unknown = Reflect.get(globalThis, KEY);
  return typeof input === 'string' ? input : undefined;
}
