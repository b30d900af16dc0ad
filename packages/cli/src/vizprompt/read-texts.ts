import type { Cli } from '../frame/cli.ts';
import { readSource } from '../frame/read-input.ts';

/** `--prompt`, `--prompt-file` and the like, as they were given. */
export interface GivenTexts {
  readonly prompt?: string | undefined;
  readonly promptFile?: string | undefined;
  readonly response?: string | undefined;
  readonly responseFile?: string | undefined;
  readonly instructions?: string | undefined;
  readonly instructionsFile?: string | undefined;
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

/** Reads the system message for the model, if there is one. */
export function readInstructions<Messages>(
  cli: Cli<Messages>,
  { instructions, instructionsFile }: GivenTexts,
): Promise<string | undefined> {
  const source = { option: '--instructions', text: instructions };
  return readSource(cli, { ...source, fileOption: '--instructions-file', file: instructionsFile });
}
