import type { Command } from '@commander-js/extra-typings';
import type { McpServerTools, Problem } from '@vizprompt/workflow';
import { omitUndefined as defined } from '@vizprompt/providers/internal';
import { CliError } from '../../../errors.ts';
import { consentOf } from '../../../frame/consent.ts';
import type { Cli } from '../../../frame/cli.ts';
import { printable } from '../../../frame/output.ts';
import type { VizpromptMessages } from '../../messages/en.ts';
import { addSources, loadModule, sourcesOf } from '../options.ts';

export const examples: readonly string[] = [
  'vizprompt workflow lint flows.yaml',
  'vizprompt workflow lint flows.yaml --mcp',
  'vizprompt workflow lint --strict --module steps.mjs --json',
];

export function define(command: Command, cli: Cli<VizpromptMessages>): void {
  const { workflow: text } = cli.text;
  command
    .argument('[files...]', text.files)
    .option('--strict', text.strict)
    .option('--module <file>', text.module)
    .option('--mcp', text.mcp)
    .action(async (given, { strict = false, module: file, mcp = false }) => {
      const { files, promptSets } = sourcesOf(command, cli, given);
      const { lint, listMcpTools } = await import('@vizprompt/workflow');
      const { createModelRegistry } = await import('@vizprompt/providers/registry');
      const { functions, tools, retrievers, activities, models } = await loadModule(cli, file);
      const namesOf = (table: object | undefined): readonly string[] | undefined =>
        table && Object.keys(table);
      const servers = mcp
        ? await listMcpTools({ files, ...defined({ promptSets }), trust: consentOf(cli) })
        : undefined;
      const problems = await lint(files, {
        language: cli.language,
        models: models ?? createModelRegistry(),
        ...defined({
          promptSets,
          mcpTools: servers,
          functions: namesOf(functions),
          retrievers: namesOf(retrievers),
          tools: tools?.map(({ name }) => name),
          activities: activities?.map(({ name }) => name),
        }),
      });
      if (cli.isJson) await cli.out.json(servers ? { problems, servers } : problems);
      else for (const problem of problems) await cli.out.line(problemText(cli, problem));
      if (!cli.isJson) for (const server of servers ?? []) await cli.out.line(toolsText(server));
      const errors = problems.filter(({ severity }) => severity === 'error').length;
      const warnings = problems.length - errors;
      if (errors > 0 || (strict && warnings > 0)) {
        const context = { errors, warnings };
        throw new CliError('found-problems', text.problems(errors, warnings), { context });
      }
      if (!cli.isJson) {
        await cli.err.line(warnings > 0 ? text.problems(errors, warnings) : text.clean);
      }
    });
  addSources(command, cli);
}

/** The tools of a server under the names that files use. */
function toolsText({ server, tools, problem }: McpServerTools): string {
  if (problem !== undefined) return `mcp:${server}: ${problem}`;
  const lines = tools.map(({ name, description = '' }) => {
    const [first = ''] = description.split('\n');
    return `  mcp:${server}/${name}${first === '' ? '' : `: ${printable(first)}`}`;
  });
  return [`mcp:${server}`, ...lines].join('\n');
}

/** As compilers write it, so that editors find the place. */
function problemText({ out }: Cli<VizpromptMessages>, problem: Problem): string {
  const { file, line, column, severity, code, message, suggestion } = problem;
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  const mark = out.style(severity === 'error' ? 'red' : 'yellow', severity);
  const advice = suggestion === undefined ? '' : ` (${suggestion})`;
  return `${place}: ${mark}: ${message}${advice} [${code}]`;
}
