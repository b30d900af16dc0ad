import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const ptta = fileURLToPath(new URL('bin/ptta.cjs', import.meta.resolve('@vizprompt/cli')));

/** A project and a home of its own: neither your memory nor your settings of Claude Code are touched. */
export class Scratch {
  readonly project: string;
  readonly home: string;
  readonly #environment: NodeJS.ProcessEnv;

  private constructor(root: string) {
    this.project = join(root, 'project');
    this.home = join(root, 'home');
    const path = [join(root, 'bin'), process.env['PATH']].join(delimiter);
    this.#environment = { ...process.env, HOME: this.home, PATH: path };
  }

  /** Makes it again. */
  static async make(folder: string): Promise<Scratch> {
    const root = resolve(folder);
    await rm(root, { recursive: true, force: true });
    const scratch = new Scratch(root);
    for (const each of ['bin', 'home', 'project/src']) {
      await mkdir(join(root, each), { recursive: true });
    }
    // Does the same as `npm install --global @vizprompt/cli`.
    const command = `#!/bin/sh\nexec "${process.execPath}" "${ptta}" "$@"\n`;
    await writeFile(join(root, 'bin', 'ptta'), command, { mode: 0o755 });
    return scratch;
  }

  /** Runs a command of a shell in the project, and gives what it prints. */
  async run(command: string, input = ''): Promise<string> {
    const running = execute('sh', ['-c', command], {
      cwd: this.project,
      env: this.#environment,
    });
    running.child.stdin?.end(input);
    return (await running).stdout;
  }

  /** Runs a server in this terminal, until Ctrl+C. */
  async stayWith(command: string): Promise<void> {
    const server = spawn('sh', ['-c', `exec ${command}`], {
      cwd: this.project,
      env: this.#environment,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    process.once('SIGINT', () => server.kill('SIGINT'));
    await once(server, 'exit');
  }
}
