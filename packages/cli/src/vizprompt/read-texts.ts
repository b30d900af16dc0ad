import type { Cli } from '../frame/cli.ts';
import { readSource } from '../frame/read-input.ts';

/** `--prompt`, `--prompt-file`, `--response` and `--response-file`, as they were given. */
export interface GivenTexts {
  readonly prompt?: string | undefined;
  readonly promptFile?: string | undefined;
  readonly response?: string | undefined;
  readonly responseFile?: string | undefined;
}

/** Reads the prompt, if there is one. */
export function readPrompt<Messages>(
  cli: Cli<Messages>,
  { prompt, promptFile }: GivenTexts,
): Promise<string | undefined> {
  const source = { option: '--prompt', text: prompt, fileOption: '--prompt-file' };
  return readSource(cli, { ...source, file: promptFile });
}

/** Reads the response, if there is one. */
export function readResponse<Messages>(
  cli: Cli<Messages>,
  { response, responseFile }: GivenTexts,
): Promise<string | undefined> {
  const source = { option: '--response', text: response, fileOption: '--response-file' };
  return readSource(cli, { ...source, file: responseFile });
}
