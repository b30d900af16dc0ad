import type { Argument, CommandUnknownOpts, Option } from '@commander-js/extra-typings';

/** Values after an option, or as an argument. */
type CompletionValue =
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

/** Returns the script of a shell that completes the words of a tool; its commands must be loaded. */
export function completionScript(
  shell: 'bash' | 'zsh' | 'fish',
  tool: string,
  root: CommandUnknownOpts,
): string {
  return SCRIPTS[shell](tool, describeCommands(root));
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

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** Returns the completion of a tool, as a script for zsh. */
function zshCompletion(tool: string, commands: readonly CompletionCommand[]): string {
  const paths = commands.filter(({ path }) => path !== '').map(({ path }) => quote(path));
  return `#compdef ${tool}
# zsh completion of ${tool}. Load it with: source <(${tool} completion zsh)
_${tool}() {
  local line='' next previous='' current="$words[CURRENT]"
  local -i i
  local -a found
  for (( i = 2; i < CURRENT; i++ )); do
    next="\${line:+$line }$words[i]"
    case "$next" in (${paths.join('|')}) line="$next" ;; esac
    previous="$words[i]"
  done
  if [[ "$current" == --*=* ]]; then
    previous="\${current%%=*}"
    compset -P '*='
  fi
  case "$line|$previous" in
${zshValueLines(commands).join('\n')}
  esac
  case "$line" in
${commands.map((command) => zshWordLines(command)).join('\n')}
  esac
}
compdef _${tool} ${tool}
`;
}

function zshWordLines({ path, children, options, argument }: CompletionCommand): string {
  const flags = options.flatMap((option) =>
    option.flags.map((flag) => quote(`${flag}:${option.summary}`)),
  );
  const names = children.map(({ name, summary }) =>
    quote(`${name.replaceAll(':', '\\:')}:${summary}`),
  );
  const lines = [
    `    (${quote(path)})`,
    `      if [[ "$current" == -* ]]; then`,
    `        found=(${flags.join(' ')})`,
    `        _describe option found`,
    `      else`,
    ...(names.length > 0
      ? [`        found=(${names.join(' ')})`, `        _describe command found`]
      : [`        ${argument === undefined ? ':' : zshAction(argument)}`]),
    `      fi ;;`,
  ];
  return lines.join('\n');
}

function zshValueLines(commands: readonly CompletionCommand[]): readonly string[] {
  return commands.flatMap(({ path, options }) =>
    options.flatMap(({ flags, value }) =>
      value === undefined
        ? []
        : flags.map((flag) => `    (${quote(`${path}|${flag}`)}) ${zshAction(value)}; return ;;`),
    ),
  );
}

function zshAction(value: CompletionValue): string {
  if (value.kind === 'files') return '_files';
  return value.kind === 'words'
    ? `compadd -- ${value.words.map((word) => quote(word)).join(' ')}`
    : ':';
}

/** Returns the completion of a tool, as a script for bash 4 and newer. */
function bashCompletion(tool: string, commands: readonly CompletionCommand[]): string {
  const name = tool.replaceAll(/\W/g, '_');
  const words = commands.map(({ path, children, options }) => {
    const all = [...children.map((child) => child.name), ...options.flatMap(({ flags }) => flags)];
    return `    ${quote(path)}) echo ${quote(all.join(' '))} ;;`;
  });
  const paths = commands.filter(({ path }) => path !== '').map(({ path }) => quote(path));
  return `# bash completion of ${tool}. Load it with: source <(${tool} completion bash)
_${name}_words() {
  case "$1" in
${words.join('\n')}
  esac
}

# Values after an option, or as the argument of a command.
_${name}_values() {
  case "$1|$2" in
${bashValueLines(commands).join('\n')}
    *) echo ':none' ;;
  esac
}

_${name}() {
  local line="\${COMP_LINE:0:COMP_POINT}" path='' next previous='' values i
  local -a typed
  read -ra typed <<< "$line"
  [[ "$line" == *[[:space:]] ]] && typed+=('')
  local current="\${typed[-1]}"
  for (( i = 1; i < \${#typed[@]} - 1; i++ )); do
    next="\${path:+$path }\${typed[i]}"
    case "$next" in ${paths.join(' | ')}) path="$next" ;; esac
    previous="\${typed[i]}"
  done
  if [[ "$current" == --*=* ]]; then
    previous="\${current%%=*}"
    current="\${current#*=}"
  fi
  values=':none'
  [[ "$previous" == -* ]] && values="$(_${name}_values "$path" "$previous")"
  if [[ "$values" == ':none' && "$current" != -* ]]; then
    values="$(_${name}_values "$path" '')"
  elif [[ "$values" == ':none' ]]; then
    values=''
  fi
  COMPREPLY=()
  case "$values" in
    ':files')
      compopt -o filenames 2> /dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      return ;;
    ':anything') return ;;
    ':none' | '') values="$(_${name}_words "$path")" ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current")
  # Bash takes a colon for the end of a word, and replaces only what is after it.
  if [[ "$current" == *:* && "$COMP_WORDBREAKS" == *:* ]]; then
    local before="\${current%"\${current##*:}"}"
    for i in "\${!COMPREPLY[@]}"; do COMPREPLY[i]="\${COMPREPLY[i]#"$before"}"; done
  fi
}
complete -F _${name} ${tool}
`;
}

function bashValueLines(commands: readonly CompletionCommand[]): readonly string[] {
  return commands.flatMap(({ path, options, argument, children }) => [
    ...options.flatMap(({ flags, value }) =>
      value === undefined
        ? []
        : flags.map(
            (flag) => `    ${quote(`${path}|${flag}`)}) echo ${quote(bashValue(value))} ;;`,
          ),
    ),
    ...(argument === undefined || children.length > 0
      ? []
      : [`    ${quote(`${path}|`)}) echo ${quote(bashValue(argument))} ;;`]),
  ]);
}

function bashValue(value: CompletionValue): string {
  return value.kind === 'words' ? value.words.join(' ') : `:${value.kind}`;
}

/** Returns a word as bash and zsh read it. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Returns the completion of a tool, as a script for fish. */
function fishCompletion(tool: string, commands: readonly CompletionCommand[]): string {
  const paths = commands.filter(({ path }) => path !== '').map(({ path }) => fishQuote(path));
  return `# fish completion of ${tool}. Load it with: ${tool} completion fish | source
function __${tool}_at --argument-names wanted
    set --local line ''
    for word in (commandline -xpc 2> /dev/null; or commandline -opc)[2..]
        set --local next (string trim -- "$line $word")
        if contains -- "$next" ${paths.join(' ')}
            set line $next
        end
    end
    test "$line" = "$wanted"
end

complete --command ${tool} --no-files
${commands.flatMap((command) => fishLines(tool, command)).join('\n')}
`;
}

function fishLines(
  tool: string,
  { path, children, options, argument }: CompletionCommand,
): readonly string[] {
  const start = `complete --command ${tool} --condition ${fishQuote(`__${tool}_at ${fishQuote(path)}`)}`;
  return [
    ...children.map(
      ({ name, summary }) =>
        `${start} --arguments ${fishQuote(name)} --description ${fishQuote(summary)}`,
    ),
    ...options.map(({ flags, summary, value }) => {
      const names = flags.map((flag) =>
        flag.startsWith('--')
          ? `--long-option ${flag.slice(2)}`
          : `--short-option ${flag.slice(1)}`,
      );
      const takes =
        value === undefined
          ? []
          : [value.kind === 'files' ? '--require-parameter --force-files' : '--exclusive'];
      if (value?.kind === 'words') takes.push(`--arguments ${fishQuote(value.words.join(' '))}`);
      return [start, ...names, ...takes, `--description ${fishQuote(summary)}`].join(' ');
    }),
    ...(argument?.kind === 'files' ? [`${start} --force-files`] : []),
    ...(argument?.kind === 'words'
      ? [`${start} --arguments ${fishQuote(argument.words.join(' '))}`]
      : []),
  ];
}

function fishQuote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
