import { CommanderError } from '@commander-js/extra-typings';
import { CliError } from '../errors.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { buildProgram } from './build-program.ts';
import { Cli } from './cli.ts';
import { languageOf, ownWords } from './language.ts';
import { usageErrorJa } from './messages/commander-ja.ts';
import { frameEn } from './messages/en.ts';
import { frameJa } from './messages/ja.ts';
import { reportError } from './report-error.ts';
import type { Tool, ToolMessages } from './tool.ts';

/**
 * Runs one command line in this process, and ends it.
 *
 * @param args - The words behind the name of the tool.
 */
export async function runTool<Messages extends ToolMessages>(
  tool: Tool<Messages>,
  args: readonly string[] = process.argv.slice(2),
): Promise<void> {
  const language = languageOf(args, process.env);
  const cli = new Cli(tool.messages[language], {
    toolName: tool.name,
    language,
    frame: language === 'ja' ? frameJa : frameEn,
    env: process.env,
    cwd: process.cwd(),
  });
  // Known before the words are read, as wrong words are told as JSON too.
  cli.globals = { json: ownWords(args).includes('--json') };
  endQuietly(process.stdout);
  endQuietly(process.stderr);
  cli.interrupts.listen();
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
  });
  try {
    await root.parseAsync(helpAsOption(args), { from: 'user' });
  } catch (error) {
    process.exitCode = await reportError(cli, asCliError(error, cli, [tool.name, ...args]));
  }
  await Promise.allSettled([cli.out.write(''), cli.err.write('')]);
  // All is written and closed. Node would give its memory back piece by piece, and wait for whatever is left.
  process.exit();
}

/** `ptta help X` is `ptta X --help`, which knows how to load X. */
function helpAsOption(args: readonly string[]): readonly string[] {
  return args[0] === 'help' ? [...args.slice(1), '--help'] : args;
}

/** What commander throws, as an error of ours; `undefined` where it only showed its help. */
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
  return new CliError('usage', cli.language === 'ja' ? usageErrorJa(message) : message);
}

/** `ptta history | head`: the reader has had enough, and that is no failure. */
function endQuietly(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT_CODES.ok);
    throw error;
  });
}
