import type { CompletionCommand, CompletionValue } from './describe-commands.ts';

/** Returns the completion of a tool, as a script for zsh. */
export function zshCompletion(tool: string, commands: readonly CompletionCommand[]): string {
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
${valueLines(commands).join('\n')}
  esac
  case "$line" in
${commands.map((command) => wordLines(command)).join('\n')}
  esac
}
compdef _${tool} ${tool}
`;
}

function wordLines({ path, children, options, argument }: CompletionCommand): string {
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
      : [`        ${argument === undefined ? ':' : action(argument)}`]),
    `      fi ;;`,
  ];
  return lines.join('\n');
}

function valueLines(commands: readonly CompletionCommand[]): readonly string[] {
  return commands.flatMap(({ path, options }) =>
    options.flatMap(({ flags, value }) =>
      value === undefined
        ? []
        : flags.map((flag) => `    (${quote(`${path}|${flag}`)}) ${action(value)}; return ;;`),
    ),
  );
}

function action(value: CompletionValue): string {
  if (value.kind === 'files') return '_files';
  return value.kind === 'words'
    ? `compadd -- ${value.words.map((word) => quote(word)).join(' ')}`
    : ':';
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
