import { Command, Help, Option, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Cli } from './cli.ts';
import { defineCompletion } from './completion/define-completion.ts';
import { LANGUAGES } from './language.ts';
import { helpDetailsJa, helpTitleJa, usageLineJa } from './messages/commander.ts';
import type { CommandModule, LazyCommand, Tool, ToolMessages } from './tool.ts';
import { packageVersion } from '../package-version.ts';

/** A tree of commands, each of which is still empty until it is prepared. */
export interface Program {
  readonly root: Command;
  /** Loads what all commands take, for the completion. */
  readonly complete: () => Promise<void>;
}

/** Returns the commands of a tool. A command is loaded when commander comes to it, just before it reads its words. */
export function buildProgram<Messages extends ToolMessages>(
  tool: Tool<Messages>,
  cli: Cli<Messages>,
): Program {
  const root = new Command(tool.name);
  configure(root, cli);
  root
    .description(cli.text.about)
    .version(packageVersion(), '-V, --version', cli.frame.options.version);
  addGlobals(root, cli);
  root.addHelpText('after', `\n${cli.frame.moreHelp(tool.name)}`);

  const lazy = new Map<CommandUnknownOpts, () => Promise<void>>();
  const add = (parent: Command, key: string, entry: LazyCommand<Messages>): void => {
    const command = parent.command(entry.name).description(cli.text.summaries[key] ?? '');
    lazy.set(
      command,
      once(async () => prepare(command, await entry.load(), cli)),
    );
  };
  for (const entry of tool.commands) {
    if ('load' in entry) {
      add(root, entry.name, entry);
      continue;
    }
    const group = root.command(entry.name).description(cli.text.summaries[entry.name] ?? '');
    configureParent(group, lazy);
    addGlobals(group, cli);
    for (const child of entry.commands) add(group, `${entry.name} ${child.name}`, child);
  }
  const complete = async (): Promise<void> => {
    for (const load of lazy.values()) await load();
  };
  const completion = root.command('completion').description(cli.frame.completion);
  defineCompletion(completion, { root, complete, cli });
  addGlobals(completion, cli);
  configureParent(root, lazy);
  return { root, complete };
}

/** Commander has one set of options for all levels, unless each level ends at the next command. */
function configureParent(
  parent: Command,
  lazy: ReadonlyMap<CommandUnknownOpts, () => Promise<void>>,
): void {
  parent.enablePositionalOptions();
  parent.hook('preSubcommand', async (_, command) => lazy.get(command)?.());
}

/** Configures the common parts of all commands; those that are made below inherit it. */
function configure<Messages>(root: Command, cli: Cli<Messages>): void {
  root.exitOverride();
  // Errors are reported in one place, with their exit code.
  const { out, err } = cli;
  root.configureOutput({
    writeOut: (text) => void out.stream.write(text),
    writeErr: (text) => void err.stream.write(text),
    getOutHelpWidth: () => out.columns,
    getErrHelpWidth: () => err.columns,
    outputError: () => {},
  });
  root.helpCommand(false).helpOption('-h, --help', cli.frame.options.help);
  if (cli.language !== 'ja') return;
  const base = Help.prototype;
  root.configureHelp({
    styleTitle: (title) => helpTitleJa(title),
    commandUsage: (command) => usageLineJa(base.commandUsage.call(new Help(), command)),
    optionDescription: (option) => {
      const { description } = option;
      const whole = base.optionDescription.call(new Help(), option);
      return description + helpDetailsJa(whole.slice(description.length));
    },
    argumentDescription: (argument) => {
      const { description } = argument;
      const whole = base.argumentDescription.call(new Help(), argument);
      return description + helpDetailsJa(whole.slice(description.length));
    },
  });
}

function prepare<Messages extends ToolMessages>(
  command: Command,
  module: CommandModule<Messages>,
  cli: Cli<Messages>,
): void {
  module.define(command, cli);
  addGlobals(command, cli);
  const examples = module.examples.map((line) => `  ${line}`).join('\n');
  command.addHelpText('after', `\n${cli.frame.examples}\n${examples}`);
}

function addGlobals<Messages extends ToolMessages>(command: Command, cli: Cli<Messages>): void {
  command.option('--json', cli.frame.options.json);
  command.option('--data <dir>', cli.text.data);
  command.option('--trust', cli.frame.options.trust);
  command.addOption(new Option('--lang <language>', cli.frame.options.lang).choices(LANGUAGES));
}

function once(load: () => Promise<void>): () => Promise<void> {
  let loading: Promise<void> | undefined;
  return () => (loading ??= load());
}
