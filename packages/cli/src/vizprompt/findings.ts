import type { CheckReport, Finding, VizPrompt } from '@vizprompt/core';
import type { Cli } from '../frame/cli.ts';
import type { Style } from '../frame/output.ts';
import { ProgressBar } from '../frame/progress-bar.ts';
import type { VizpromptMessages } from './messages/vizprompt-messages.ts';

const STYLES: Readonly<Record<Finding['severity'], Style>> = {
  error: 'red',
  warning: 'yellow',
  info: 'dim',
};

/** Checks all files of a project. */
export async function checkProject(
  cli: Cli<VizpromptMessages>,
  vizprompt: VizPrompt,
): Promise<CheckReport> {
  using bar = new ProgressBar(cli.err, cli.text.checking);
  vizprompt.on('check:progress', ({ done, total }) => bar.update(done, total));
  return await vizprompt.check({ signal: cli.signal });
}

/** Returns a finding on one line, as compilers write theirs. */
export function findingLine({ out }: Cli<VizpromptMessages>, finding: Finding): string {
  const { file, line, severity, code, message, repair } = finding;
  const mark = out.style(STYLES[severity], `${severity} ${code}`);
  return `${file}:${line}: ${mark}: ${message}; ${repair.description}`;
}
