import type { Cli } from './cli.ts';

/** Tells people something next to the result. Programs, which ask for `--json`, are told nothing. */
export async function remark<Messages>(cli: Cli<Messages>, text: string): Promise<void> {
  if (!cli.isJson) await cli.err.line(cli.err.style('dim', text));
}
