import type { CompletionCommand, CompletionValue } from './describe-commands.ts';

/** Returns the completion of a tool, as a script for bash 4 and newer. */
export function bashCompletion(tool: string, commands: readonly CompletionCommand[]): string {
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
${valueLines(commands).join('\n')}
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

function valueLines(commands: readonly CompletionCommand[]): readonly string[] {
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

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
