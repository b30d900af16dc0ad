import type { Cli } from './cli.ts';

/** Writes a remark for people besides the result. Programs, which ask for `--json`, get none. */
export async function remark<Messages>(cli: Cli<Messages>, text: string): Promise<void> {
  if (!cli.isJson) await cli.err.line(cli.err.style('dim', text));
}
