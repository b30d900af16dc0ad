import type { spawn } from 'node:child_process';
import { existsSync, readSync, writeSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { spoolHook } from '@vizprompt/memory/internal';
import { foldersUpwards } from '../frame/project-folder.ts';
import { setReadInput } from './hook-input.ts';
import { defaultMemoryPath } from './memory-path.ts';

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
 * @returns False if the command is to run in full: another one, the start of a session, a memory of a project.
 */
export function quickHook(args: readonly string[]): boolean {
  const words = hookWords(args);
  const memory = words && memoryOf(words);
  if (memory === undefined) return false;
  const input = readInput();
  const outcome = leave(words?.agent ?? 'claude-code', memory, input);
  if (outcome === undefined) setReadInput(input);
  if (outcome === 'ended') startIngest(memory, words?.data);
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

/** Returns the database; `undefined` if more is to be found out, such as whether a project is trusted. */
function memoryOf({ data }: HookWords): string | undefined {
  try {
    const cwd = process.cwd();
    if (data !== undefined) {
      const path = join(resolve(cwd, data), 'ptta.db');
      return existsSync(path) ? path : undefined;
    }
    const own = defaultMemoryPath(homedir());
    const nearest = foldersUpwards(cwd)
      .map((folder) => defaultMemoryPath(folder))
      .find((path) => existsSync(path));
    return nearest === undefined || nearest === own ? own : undefined;
  } catch {
    // The folder is gone.
    return undefined;
  }
}

function leave(
  agent: HookWords['agent'],
  memory: string,
  input: string,
): ReturnType<typeof spoolHook> {
  const folder = join(homedir(), '.ptta');
  try {
    return spoolHook({ agent, input, folder, memory });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    tell(
      `cannot leave the call of the hook in ${folder}: ${why}. Free some space, or make the folder writable`,
    );
    return undefined;
  }
}

function tell(message: string): void {
  try {
    writeSync(2, `ptta: ${message}\n`);
  } catch {
    // Nobody reads it.
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
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      // A pipe that does not block has nothing yet; on Windows a pipe ends with an error, as does one that is closed.
      if (code !== 'EAGAIN') break;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Starts a process that stores what was left. The agent does not wait for it, and needs no answer. */
function startIngest(memory: string, data: string | undefined): void {
  const [, bin = ''] = process.argv;
  const words = data === undefined ? [] : ['--data', dirname(memory)];
  try {
    // Most calls start nothing, and loading the module takes time.
    const children: { spawn: typeof spawn } = process.getBuiltinModule('node:child_process');
    const child = children.spawn(process.execPath, [bin, 'hooks:ingest', ...words], {
      cwd: dirname(memory),
      detached: true,
      stdio: 'ignore',
      windowsHide: true,
    });
    child.on('error', () => {});
    child.unref();
  } catch {
    // It is stored when the memory is opened.
  }
}
