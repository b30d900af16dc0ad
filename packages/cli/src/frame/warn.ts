import type { Cli } from './cli.ts';

/** A remark on standard error about something that went wrong and does not end the command. */
export async function warn<Messages>(cli: Cli<Messages>, message: string): Promise<void> {
  if (cli.isJson) await cli.err.json({ warning: { message } });
  else await cli.err.line(`${cli.err.style('yellow', cli.toolName)}: ${message}`);
}
