import { resolve } from 'node:path';
import { CliError } from '../errors.ts';
import type { Cli } from '../frame/cli.ts';
import type { PttaMessages } from './messages/ptta-messages.ts';

/**
 * Refuses settings in a project that lead out of it: the project may come from elsewhere.
 *
 * @throws CliError `failed`.
 */
export async function refuseOutside(cli: Cli<PttaMessages>, named: string): Promise<void> {
  const { leadsOutside } = await import('@vizprompt/providers/trust/internal');
  const path = resolve(cli.cwd, named);
  if (!leadsOutside(cli.cwd, path)) return;
  throw new CliError('failed', cli.text.settingsOutside(named), { context: { path } });
}
