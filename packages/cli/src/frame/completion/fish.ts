import type { CompletionCommand } from './describe-commands.ts';

/** Returns the completion of a tool, as a script for fish. */
export function fishCompletion(tool: string, commands: readonly CompletionCommand[]): string {
  const paths = commands.filter(({ path }) => path !== '').map(({ path }) => quote(path));
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
${commands.flatMap((command) => linesOf(tool, command)).join('\n')}
`;
}

function linesOf(
  tool: string,
  { path, children, options, argument }: CompletionCommand,
): readonly string[] {
  const start = `complete --command ${tool} --condition ${quote(`__${tool}_at ${quote(path)}`)}`;
  return [
    ...children.map(
      ({ name, summary }) => `${start} --arguments ${quote(name)} --description ${quote(summary)}`,
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
      if (value?.kind === 'words') takes.push(`--arguments ${quote(value.words.join(' '))}`);
      return [start, ...names, ...takes, `--description ${quote(summary)}`].join(' ');
    }),
    ...(argument?.kind === 'files' ? [`${start} --force-files`] : []),
    ...(argument?.kind === 'words'
      ? [`${start} --arguments ${quote(argument.words.join(' '))}`]
      : []),
  ];
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
