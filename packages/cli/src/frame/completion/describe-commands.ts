import type { Argument, CommandUnknownOpts, Option } from '@commander-js/extra-typings';

/** Values after an option, or as an argument. */
export type CompletionValue =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'files' }
  | { readonly kind: 'anything' };

/** An option, as `--session`. */
interface CompletionOption {
  readonly flags: readonly string[];
  readonly summary: string;
  /** Absent if it takes none. */
  readonly value?: CompletionValue;
}

/** A command with all that may be after it. */
export interface CompletionCommand {
  /** `''` for the tool itself, `flow list` for one of a group. */
  readonly path: string;
  readonly children: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly CompletionOption[];
  readonly argument?: CompletionValue;
}

/** All commands of a tree, the root first. Commands that are loaded when they run must be loaded. */
export function describeCommands(root: CommandUnknownOpts): readonly CompletionCommand[] {
  return below(root, []);
}

function below(command: CommandUnknownOpts, path: readonly string[]): readonly CompletionCommand[] {
  const children = command.commands;
  const [argument] = command.registeredArguments;
  const described: CompletionCommand = {
    path: path.join(' '),
    children: children.map((child) => ({ name: child.name(), summary: child.description() })),
    options: [...command.createHelp().visibleOptions(command)].map((option) => optionOf(option)),
    ...(argument === undefined ? {} : { argument: valueOf(argument, argument.name()) }),
  };
  return [described, ...children.flatMap((child) => below(child, [...path, child.name()]))];
}

function optionOf(option: Option): CompletionOption {
  const flags = [option.short, option.long].filter((flag) => flag !== undefined);
  const takesValue = option.required || option.optional;
  return {
    flags,
    summary: option.description,
    ...(takesValue ? { value: valueOf(option, option.flags) } : {}),
  };
}

function valueOf(declared: Option | Argument, name: string): CompletionValue {
  if (declared.argChoices) return { kind: 'words', words: declared.argChoices };
  return /file|path|dir|folder|config/i.test(name) ? { kind: 'files' } : { kind: 'anything' };
}
