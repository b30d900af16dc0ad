import type { Tool } from '../models/request.ts';
import type { JsonValue } from '../json/json-value.ts';
import { isRecord } from '../json/fields.ts';
import { isFileForm, readFileForm } from '../adapter-kit/media.ts';
import { toolOutput } from '../adapter-kit/tool-content.ts';
import { readySchema, type Schema } from './schema.ts';
import { checkArgument } from '../adapter-kit/check-options.ts';
import { having } from '../input/kinds.ts';

/** The context of a tool besides its input. */
interface ToolContext {
  /** The id of the call. */
  readonly id: string;
  /** Aborts when the whole run is aborted. */
  readonly signal?: AbortSignal;
}

/** The definition of a tool; see {@link defineTool}. */
interface ToolDefinition<Input> {
  readonly name: string;
  readonly description?: string | undefined;
  /** The schema of the input: a zod 4 schema, any Standard Schema with JSON Schema, or a JSON Schema. */
  readonly input: Schema<Input>;
  /**
   * Runs the tool. The model receives the result as JSON, `undefined` as `null`. Models that can see files also receive
   * the files in it, as `FilePart`s or in the forms of MCP, OpenAI, Anthropic and the AI SDK. The model also receives a
   * thrown error, and may retry.
   */
  execute(input: Input, context: ToolContext): unknown;
}

/** A tool that can be run. */
export interface RunnableTool {
  readonly name: string;
  /** Describes the tool for models. */
  describe(): Promise<Tool>;
  /** @throws an error whose message says what is wrong with the input, and what `execute` throws. */
  run(input: JsonValue, context: ToolContext): Promise<JsonValue>;
}

const TOOL = having('{ name, input, execute }', 'name', 'input', 'execute');

/**
 * Makes a tool whose input is validated before it runs.
 *
 * @example
 * ```ts
 * const weather = defineTool({
 *   name: 'weather',
 *   description: 'The weather of a city',
 *   input: z.object({ city: z.string() }),
 *   execute: async ({ city }) => forecast(city),
 * });
 * ```
 */
export function defineTool<Input>(definition: ToolDefinition<Input>): RunnableTool {
  checkArgument('the argument of defineTool', definition, TOOL);
  const { name, description, input: schema } = definition;
  let ready: ReturnType<typeof readySchema<Input>> | undefined;
  const prepare = (): ReturnType<typeof readySchema<Input>> => (ready ??= readySchema(schema));
  return {
    name,
    async describe() {
      const { jsonSchema } = await prepare();
      const about = description === undefined ? {} : { description };
      return { name, ...about, parameters: jsonSchema };
    },
    async run(input, context) {
      const checked = await (await prepare()).validate(input);
      if ('issues' in checked) throw new TypeError(`wrong input: ${checked.issues.join('; ')}`);
      const output: unknown = await definition.execute(checked.value, context);
      const json: JsonValue = JSON.parse(JSON.stringify(output ?? null, storedFile));
      return json;
    },
  };
}

/** Bytes of a file as JSON holds them. */
function storedFile(_key: string, value: unknown): unknown {
  if (!isRecord(value) || !isFileForm(value)) return value;
  const hasBytes = Object.values(value).some(
    (one) => one instanceof Uint8Array || one instanceof ArrayBuffer,
  );
  const file = hasBytes ? readFileForm(value) : undefined;
  const [stored] = file ? [toolOutput([file])].flat() : [];
  return stored ?? value;
}
