import type { VizPrompt } from '@vizprompt/core';
import { CliError } from '../errors.ts';
import type { Cli } from '../frame/cli.ts';
import type { VizpromptMessages } from './messages/en.ts';

/** The nodes that a word may name one of. */
export interface Nodes {
  readonly vizprompt: VizPrompt;
  /** The flow whose numbers are meant. Default: `main`. */
  readonly flow?: string | undefined;
}

/**
 * Returns the id of a node that is named by its id, or by the number that `flow show` gives it.
 *
 * @throws CliError `not-found` if the flow has no such number.
 */
export async function nodeId(
  cli: Cli<VizpromptMessages>,
  { vizprompt, flow }: Nodes,
  word: string,
): Promise<string> {
  if (!/^\d{1,9}$/.test(word)) return word;
  const { name, nodes } = await vizprompt.getFlow(flow);
  const found = nodes.find(({ index }) => index === Number(word));
  if (found) return found.id;
  throw new CliError('not-found', cli.text.noNumber(word, name), {
    context: { number: Number(word), flow: name },
  });
}

/** Returns the same for several. */
export async function nodeIds(
  cli: Cli<VizpromptMessages>,
  nodes: Nodes,
  words: readonly string[],
): Promise<readonly string[]> {
  return Promise.all(words.map((word) => nodeId(cli, nodes, word)));
}
