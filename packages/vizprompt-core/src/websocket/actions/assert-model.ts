import type { VizPrompt } from '../../vizprompt.ts';
import { MessageRefused } from '../wire/error.ts';

/**
 * Answers cost what the server pays: a client has them only where the server was given a model.
 *
 * @param wayOut - What else the client can do, if there is something.
 * @throws MessageRefused `no_model`.
 */
export function assertModel({ hasModel }: VizPrompt, wayOut = ''): void {
  if (hasModel) return;
  const message =
    'this server asks no model: start it with one, such as vizprompt serve --model ollama:qwen3';
  throw new MessageRefused('no_model', `${message}${wayOut}`);
}
