import { messageOf } from '@vizprompt/providers';
import { CliError } from '../errors.ts';
import type { Cli } from '../frame/cli.ts';
import type { DialogoiMessages } from './messages/dialogoi-messages.ts';

/** The largest list. */
const MAX_BYTES = 64 << 20;
const TIMEOUT_MS = 60_000;

/**
 * Downloads a text.
 *
 * @throws CliError `input-unreadable` if there is none, it is too long, or takes longer than a minute.
 */
export async function download(cli: Cli<DialogoiMessages>, address: string): Promise<string> {
  try {
    const signal = AbortSignal.any([cli.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const response = await fetch(address, { signal });
    if (!response.ok || !response.body) throw new Error(`HTTP ${response.status}`);
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let text = '';
    let bytes = 0;
    for await (const piece of response.body) {
      bytes += piece.length;
      if (bytes > MAX_BYTES) throw new Error(`it is longer than ${MAX_BYTES} bytes`);
      text += decoder.decode(piece, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    cli.signal.throwIfAborted();
    const message = cli.text.thesaurus.cannotLoad(address, messageOf(error));
    throw new CliError('input-unreadable', message, { cause: error, context: { address } });
  }
}
