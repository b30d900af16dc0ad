import type { ToolResultPart } from '../models/message.ts';

/** What a tool gave back, as text: texts as they are, all else as JSON. */
export function toolOutputText({ output, isError }: ToolResultPart): string {
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  return isError ? `Error: ${text}` : text;
}
