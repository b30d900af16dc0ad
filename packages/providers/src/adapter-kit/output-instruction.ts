import type { OutputFormat } from '../models/request.ts';

/** Says in words which form the answer must have, for servers that have no field for it. */
export function outputInstruction(output: OutputFormat | undefined): string | undefined {
  if (output?.type !== 'json') return undefined;
  if (output.schema === undefined) return 'Answer with one JSON object and nothing else.';
  return `Answer with JSON and nothing else. It must follow this JSON Schema:\n${JSON.stringify(output.schema)}`;
}
