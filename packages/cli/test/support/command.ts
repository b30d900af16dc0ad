import { PassThrough, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { Interrupts } from '../../src/frame/interrupts.ts';
import { runTool } from '../../src/frame/run-tool.ts';
import type { ToolIo } from '../../src/frame/tool-io.ts';
import { lendEnvironment } from './lend-environment.ts';
import type { RunOptions, RunResult, ToolName } from './run.ts';

/** How a command is run within this process. */
export type CommandOptions = Pick<
  RunOptions,
  'cwd' | 'env' | 'input' | 'isInputOpen' | 'signalAt'
> & {
  /** True if standard input and both outputs are those of a terminal. Default: `false`. */
  readonly isTerminal?: boolean;
};

type StreamName = 'stdout' | 'stderr';

const TOOLS: Readonly<Record<ToolName, (args: readonly string[], io: ToolIo) => Promise<number>>> =
  {
    dialogoi: async (args, io) =>
      runTool((await import('../../src/dialogoi/tool.ts')).dialogoi, args, io),
    ptta: async (args, io) => runTool((await import('../../src/ptta/tool.ts')).ptta, args, io),
    talktable: async (args, io) =>
      runTool((await import('../../src/talktable/tool.ts')).talktable, args, io),
    vizprompt: async (args, io) =>
      runTool((await import('../../src/vizprompt/tool.ts')).vizprompt, args, io),
  };

/** A command line that runs within this process, with streams, variables and signals of its own. */
export class Command {
  stdout = '';
  stderr = '';
  /** Its result. */
  readonly ended: Promise<RunResult>;
  readonly #interrupts = new Interrupts(() => this.#endAtOnce());
  readonly #input = new PassThrough();
  readonly #watchers = new Set<() => void>();
  readonly #isTerminal: boolean;
  #isOver = false;
  #endAtOnce: () => void = () => {};

  constructor(tool: ToolName, args: readonly string[], options: CommandOptions) {
    const { cwd, input = '', isInputOpen = false, signalAt, isTerminal = false } = options;
    this.#isTerminal = isTerminal;
    if (signalAt) this.#signalAt(signalAt.text, signalAt.signal);
    if (isInputOpen) this.#input.write(input);
    else this.#input.end(input);
    const env = { HOME: cwd, LANG: 'C.UTF-8', PATH: process.env['PATH'], ...options.env };
    this.ended = this.#run(tool, args, {
      cwd,
      env,
      home: env.HOME,
      stdin: Object.assign(this.#input, { isTTY: isTerminal }),
      stdout: this.#output('stdout'),
      stderr: this.#output('stderr'),
      interrupts: this.#interrupts,
    });
    // The caller that waits for it gets the error, and nothing else has to handle it.
    this.ended.catch(() => {});
  }

  /**
   * Waits until one of its streams holds a text.
   *
   * @throws Error if it ends without.
   */
  async shows(text: string | RegExp, stream: StreamName = 'stdout'): Promise<void> {
    const isThere = (): boolean =>
      typeof text === 'string' ? this[stream].includes(text) : text.test(this[stream]);
    await new Promise<void>((done, fail) => {
      const look = (): void => {
        if (isThere()) done();
        else if (this.#isOver) fail(new Error(`it ended without ${text}: ${this[stream]}`));
        else return;
        this.#watchers.delete(look);
      };
      this.#watchers.add(look);
      look();
    });
  }

  /** Types a line. */
  type(line: string): void {
    this.#input.write(`${line}\n`);
  }

  /** Does what a signal does to it. */
  signal(signal: NodeJS.Signals): void {
    if (signal === 'SIGINT') this.#interrupts.interrupt();
    else this.#interrupts.stop('SIGTERM');
  }

  /** Checks whether a signal stopped it that no handler took. */
  get isStopped(): boolean {
    return this.#interrupts.signal.aborted;
  }

  /** Its exit code, after a signal if one is given. */
  async end(signal?: NodeJS.Signals): Promise<number | null> {
    if (signal) this.signal(signal);
    return (await this.ended).code;
  }

  async #run(tool: ToolName, args: readonly string[], io: ToolIo): Promise<RunResult> {
    using _ = lendEnvironment(io.env);
    const killed = new Promise<null>((done) => (this.#endAtOnce = () => done(null)));
    try {
      const code = await Promise.race([TOOLS[tool](args, io), killed]);
      const { stdout, stderr } = this;
      return { stdout, stderr, code };
    } finally {
      this.#isOver = true;
      this.#look();
      this.#input.destroy();
    }
  }

  #output(name: StreamName): Writable {
    const decoder = new StringDecoder('utf8');
    const stream = new Writable({
      write: (bytes: Buffer, _, done) => {
        this[name] += decoder.write(bytes);
        this.#look();
        done();
      },
    });
    return Object.assign(stream, { isTTY: this.#isTerminal });
  }

  #look(): void {
    for (const look of this.#watchers) look();
  }

  #signalAt(text: string, signal: NodeJS.Signals): void {
    const look = (): void => {
      if (!this.stdout.includes(text) && !this.stderr.includes(text)) return;
      this.#watchers.delete(look);
      // As that of the system, it does not come in the middle of a write.
      setImmediate(() => this.signal(signal));
    };
    this.#watchers.add(look);
  }
}
