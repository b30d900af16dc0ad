import { createInterface } from 'node:readline/promises';
import type { TrustRequest } from '@vizprompt/providers/trust';
import type { Cli } from './cli.ts';

/**
 * Returns the function that decides about a request of a folder from elsewhere without consent yet:
 * `--trust` consents for this command, a person at a terminal is asked and the answer recorded, and
 * everything else is refused.
 */
export function consentOf<Messages>(
  cli: Cli<Messages>,
): (request: TrustRequest) => Promise<boolean> {
  return async (request) => {
    if (cli.globals.trust === true) return true;
    if (cli.isJson || !process.stdin.isTTY || !cli.err.isTerminal) return false;
    const { place } = request;
    if (!(await isAgreed(cli, request))) return false;
    const { grantTrust } = await import('@vizprompt/providers/trust');
    if (place !== undefined) await grantTrust({ ...request, place });
    return true;
  };
}

async function isAgreed<Messages>(
  cli: Cli<Messages>,
  { place = '', uses }: TrustRequest,
): Promise<boolean> {
  const { trust } = cli.frame;
  await cli.err.line(trust.asks(place));
  for (const { text, source } of uses) await cli.err.line(`  ${text} (${source})`);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await lines.question(`${trust.question} `, { signal: cli.signal });
    return /^(?:y|yes|はい)$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}

/** Shows an address that is not the provider's own on standard error, before anything is sent there. */
export async function showAddress<Messages>(
  cli: Cli<Messages>,
  address: string,
  source: string,
): Promise<void> {
  const message = cli.frame.trust.asking(address, source);
  if (cli.isJson) await cli.err.json({ notice: { message, address } });
  else await cli.err.line(message);
}
