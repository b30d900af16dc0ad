import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { crc32, deflateSync } from 'node:zlib';
import { markedPrompt } from './expected.ts';
import type { Installed } from './install.ts';
import type { Agent, Place } from './programs/agent.ts';
import { answersOf, FILES, mark, type Question, type Scene } from './scene.ts';
import { startFakeModels, type FakeModels } from './server/fake-models.ts';

const run = promisify(execFile);
const PTTA = fileURLToPath(new URL('../../../cli/dist/bin/ptta.cjs', import.meta.url));
/** An agent that has not ended after so long hangs. */
const PATIENCE_MS = 120_000;
/** Time in which an agent writes its transcript, in milliseconds. */
const FLUSH_MS = 2000;

/** The environment of a scene: a home, a repository and the models of one agent. */
export class Stage {
  readonly folder: string;
  readonly home: string;
  readonly workspace: string;
  readonly models: FakeModels;
  /** Output of the agents. */
  readonly output: string[] = [];
  /** True if an agent did not end, and was killed. */
  hasHung = false;
  readonly #agent: Agent;
  readonly #installed: Installed;
  #cwd: string;

  private constructor(folder: string, agent: Agent, installed: Installed, models: FakeModels) {
    this.folder = folder;
    this.home = join(folder, 'home');
    this.workspace = join(folder, 'project');
    this.models = models;
    this.#agent = agent;
    this.#installed = installed;
    this.#cwd = this.workspace;
  }

  /** Builds one. */
  static async build(agent: Agent, installed: Installed): Promise<Stage> {
    const folder = await mkdtemp(join(tmpdir(), 'agents-'));
    // Tools take paths of where the agent is, which differs between questions.
    const here: { stage?: Stage } = {};
    const models = await startFakeModels(agent, (action) => {
      const call = agent.call(action, here.stage?.cwd ?? folder);
      return action.kind === 'delegate' && agent.waits ? [call, agent.waits] : [call];
    });
    const stage = new Stage(folder, agent, installed, models);
    here.stage = stage;
    await stage.#fill();
    await agent.prepare(stage.#place(stage.workspace));
    return stage;
  }

  get cwd(): string {
    return this.#cwd;
  }

  async #fill(): Promise<void> {
    const bin = join(this.folder, 'bin', 'ptta');
    const files = {
      ...Object.fromEntries(
        Object.entries(FILES).map(([name, text]) => [join(this.workspace, name), text]),
      ),
      [join(this.workspace, 'pic.png')]: picture(),
      [bin]: `#!/bin/sh\nexec '${process.execPath}' '${PTTA}' "$@"\n`,
    };
    await mkdir(this.home, { recursive: true });
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
    }
    await chmod(bin, 0o755);
    const git = (...args: readonly string[]): Promise<unknown> =>
      run('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
        cwd: this.workspace,
      });
    await git('init', '-q', '-b', 'main');
    await git('add', '.');
    await git('commit', '-q', '-m', 'first');
    await git('worktree', 'add', '-q', '--detach', join(this.folder, 'worktree'));
  }

  #place(cwd: string): Place {
    return { home: this.home, cwd, url: this.models.url };
  }

  /** Returns the variables of all that runs here. */
  env(): NodeJS.ProcessEnv {
    const { PATH = '', LANG = 'C.UTF-8', TERM = 'dumb' } = process.env;
    const proxy = this.models.url;
    return {
      HOME: this.home,
      PATH: [join(this.folder, 'bin'), this.#installed.bin, dirname(process.execPath), PATH].join(
        delimiter,
      ),
      LANG,
      TERM,
      http_proxy: proxy,
      https_proxy: proxy,
      HTTP_PROXY: proxy,
      HTTPS_PROXY: proxy,
      no_proxy: '127.0.0.1,localhost',
      NO_PROXY: '127.0.0.1,localhost',
      ...this.#agent.env(this.#place(this.#cwd)),
    };
  }

  /** Runs `ptta` in the workspace. */
  async ptta(...args: readonly string[]): Promise<string> {
    const { stdout } = await run(process.execPath, [PTTA, ...args], {
      cwd: this.workspace,
      env: this.env(),
      maxBuffer: 1 << 28,
    });
    return stdout;
  }

  /** Plays a scene. */
  async play(scene: Scene): Promise<void> {
    this.models.play(answersOf(scene));
    const asks = scene.questions.map((question, at) => () => this.#ask(scene, question, at));
    if (scene.atOnce === true) await this.#playAtOnce(scene, asks);
    else for (const ask of asks) await ask();
  }

  /**
   * Each agent works until all have begun, and begins after the one before: in a new home some of them set up their
   * database, and fail where another process does so at the same moment.
   */
  async #playAtOnce(scene: Scene, asks: readonly (() => Promise<void>)[]): Promise<void> {
    const names = asks.map((_, at) => mark(scene.name, at));
    const begun = names.map((name) => this.models.reached(name, 0));
    for (const name of names) this.models.hold(name, 1, Promise.all(begun));
    const playing: Promise<void>[] = [];
    for (const [at, ask] of asks.entries()) {
      const play = ask();
      playing.push(play);
      await Promise.race([begun[at], play]);
    }
    await Promise.all(playing);
  }

  async #ask(scene: Scene, question: Question, at: number): Promise<void> {
    const { start, prompt, folder = '.', killAt } = question;
    this.#cwd = join(this.workspace, folder);
    const child = spawn(
      join(this.#installed.bin, this.#agent.command),
      this.#agent.args(markedPrompt(scene, at, prompt), start, this.#place(this.#cwd)),
      { cwd: this.#cwd, env: this.env(), stdio: ['ignore', 'pipe', 'pipe'], detached: true },
    );
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data: Buffer) => this.output.push(data.toString()));
    }
    const ended = once(child, 'exit');
    const timer = setTimeout(() => {
      this.output.push('(it hung)');
      this.hasHung = true;
      kill(child);
    }, PATIENCE_MS);
    if (killAt !== undefined) {
      await Promise.race([this.models.reached(mark(scene.name, at), killAt), ended]);
      // Agents write their transcripts a moment later.
      await Promise.race([new Promise((done) => setTimeout(done, FLUSH_MS)), ended]);
      kill(child);
    }
    await ended;
    clearTimeout(timer);
  }
}

/** Kills an agent and all that it has started. */
function kill({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** Returns a picture of 90 by 90 points, which cannot be compressed. */
function picture(): Buffer {
  const size = 90;
  let seed = 7;
  const rows = Array.from({ length: size * (size * 3 + 1) }, (_, at) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return at % (size * 3 + 1) === 0 ? 0 : seed % 251;
  });
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  const data = deflateSync(Buffer.from(rows));
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
