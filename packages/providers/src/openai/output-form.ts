import type { JsonObject } from '../json/json-value.ts';
import type { OutputFormat } from '../models/request.ts';
import type { OpenAIProfile } from './profiles.ts';
import { outputInstruction, strictSchema } from '../adapter-kit/output-schema.ts';

/** The form of an answer, as the Responses API has it; Chat Completions wraps the schema. */
type OutputForm =
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema';
      readonly name: string;
      readonly schema: JsonObject;
      readonly strict: boolean;
    };

/** Returns the field for the form of an answer, as far as the server takes one. */
export function outputForm(
  output: OutputFormat | undefined,
  { jsonMode }: OpenAIProfile,
): OutputForm | undefined {
  if (output?.type !== 'json' || jsonMode === 'none') return undefined;
  const { schema, name = 'answer' } = output;
  const takesSchema = jsonMode === 'schema' || jsonMode === 'loose';
  const isSchema = jsonMode === 'schema-only' || (takesSchema && schema !== undefined);
  if (!isSchema) return { type: 'json_object' };
  const form = schema ?? { type: 'object' };
  const strict = jsonMode === 'loose' ? undefined : strictSchema(form);
  return {
    type: 'json_schema',
    name: safeName(name),
    schema: strict ?? form,
    strict: strict !== undefined,
  };
}

/** Names may have Latin letters, digits, `_` and `-` only, at most 64. */
function safeName(name: string): string {
  const safe = name.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 64);
  return /[A-Za-z0-9]/.test(safe) ? safe : 'answer';
}

/** Returns the instruction for a setting that the server has no field for. */
export function instructionFor(
  output: OutputFormat | undefined,
  { jsonMode }: OpenAIProfile,
): string | undefined {
  if (output?.type !== 'json') return undefined;
  const isField =
    output.schema === undefined
      ? jsonMode === 'schema-only'
      : jsonMode !== 'object' && jsonMode !== 'none';
  return isField ? undefined : outputInstruction(output);
}
