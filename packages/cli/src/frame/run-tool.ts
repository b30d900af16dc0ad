import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { CliError } from '../errors.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { buildProgram } from './build-program.ts';
import { Cli } from './cli.ts';
import { Interrupts } from './interrupts.ts';
import { languageOf, ownWords } from './language.ts';
import { usageErrorEn, usageErrorJa } from './messages/commander.ts';
import { frameEn } from './messages/en.ts';
import { frameJa } from './messages/ja.ts';
import { reportError } from './report-error.ts';
import type { ToolIo } from './tool-io.ts';
import type { Tool, ToolMessages } from './tool.ts';

/**
 * Runs one command line, and leaves the process as it is.
 *
 * @param args - The words after the name of the tool.
 * @returns The exit code.
 */
export async function runTool<Messages extends ToolMessages>(
  tool: Tool<Messages>,
  args: readonly string[],
  io: ToolIo,
): Promise<number> {
  const language = languageOf(args, io.env);
  const cli = new Cli(tool.messages[language], {
    toolName: tool.name,
    language,
    frame: language === 'ja' ? frameJa : frameEn,
    io,
  });
  // Known before the words are read, as wrong words are reported as JSON too.
  cli.globals = { json: ownWords(args).includes('--json') };
  const { root } = buildProgram(tool, cli);
  root.hook('preAction', (_, command) => {
    const given: Record<string, unknown> = {
      ...root.opts(),
      ...command.parent?.opts(),
      ...command.opts(),
    };
    // A command sees the options that it declares: most pass them on to a package that refuses others.
    const own: object = command.opts();
    for (const name of ['json', 'data', 'lang', 'trust']) Reflect.deleteProperty(own, name);
    const { json, data, trust } = given;
    cli.globals = {
      json: json === true,
      trust: trust === true,
      ...(typeof data === 'string' ? { data } : {}),
    };
    if (typeof data === 'string' && !tool.takeDataFile?.includes(command.name())) {
      assertNoFile(cli, data);
    }
  });
  let exitCode: number = EXIT_CODES.ok;
  try {
    await root.parseAsync(helpAsOption(args, root), { from: 'user' });
  } catch (error) {
    exitCode = await reportError(cli, asCliError(error, cli, [tool.name, ...args]));
  }
  await Promise.allSettled([cli.out.write(''), cli.err.write('')]);
  return exitCode;
}

/** Refuses a file as the folder of `--data`; one that does not exist may be made. */
function assertNoFile<Messages>(cli: Cli<Messages>, data: string): void {
  const path = resolve(cli.cwd, data);
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  if (isFile) throw new CliError('usage', cli.frame.dataIsFile(path), { context: { path } });
}

/** `ptta help X` is `ptta X --help`, which knows how to load X; and `ptta X` where there is no X, which says so. */
function helpAsOption(args: readonly string[], root: CommandUnknownOpts): readonly string[] {
  const [first, ...words] = args;
  if (first !== 'help') return args;
  let parent = root;
  for (const word of words) {
    if (word.startsWith('-') || parent.commands.length === 0) break;
    const child = parent.commands.find((one) => one.name() === word);
    if (!child) return words;
    parent = child;
  }
  return [...words, '--help'];
}

/** Returns an exception of commander as an error of ours; `undefined` where it only showed its help. */
function asCliError<Messages>(
  error: unknown,
  cli: Cli<Messages>,
  words: readonly string[],
): unknown {
  if (!(error instanceof CommanderError)) return error;
  if (error.exitCode === EXIT_CODES.ok) return undefined;
  if (error.code === 'commander.help') {
    const named = words.filter((word) => !word.startsWith('-')).join(' ');
    return new CliError('usage', cli.frame.noCommand(named));
  }
  const message = error.message.replace(/^error: /, '');
  return new CliError(
    'usage',
    cli.language === 'ja' ? usageErrorJa(message) : usageErrorEn(message),
  );
}

/** Runs the command line that this process was started with, and ends the process with its exit code. */
export async function runProcess<Messages extends ToolMessages>(
  tool: Tool<Messages>,
): Promise<never> {
  endQuietly(process.stdout);
  endQuietly(process.stderr);
  const interrupt = (): void => interrupts.interrupt();
  const terminate = (): void => interrupts.stop('SIGTERM');
  const interrupts = new Interrupts(
    (exitCode) => process.exit(exitCode),
    () => process.off('SIGINT', interrupt).off('SIGTERM', terminate),
  );
  process.on('SIGINT', interrupt).on('SIGTERM', terminate);
  const exitCode = await runTool(tool, process.argv.slice(2), {
    cwd: process.cwd(),
    env: process.env,
    home: homedir(),
    // A stream of standard input costs time, and most commands read none.
    get stdin() {
      return process.stdin;
    },
    stdout: process.stdout,
    stderr: process.stderr,
    interrupts,
  });
  // All is written and closed. Node would give its memory back piece by piece, and wait for whatever remains.
  process.exit(exitCode);
}

/** `ptta history | head`: the reader has had enough, and that is not a failure. */
function endQuietly(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT_CODES.ok);
    throw error;
  });
}
