import { LLMError } from '../models/llm-error.ts';
import { messageOf } from '../errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { checkArgument } from '../adapter-kit/check-options.ts';
import { either, FUNCTION, OBJECT } from '../input/kinds.ts';

/** The result of a validator: the value in its own form, or the problems. */
type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string;
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
      }[];
    };

/**
 * A validator of any library that follows Standard Schema, such as zod 4.
 *
 * Source: https://standardschema.dev, and Standard JSON Schema there for `jsonSchema`.
 */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly jsonSchema?:
      | {
          readonly input: (options: { readonly target: string }) => Record<string, unknown>;
        }
      | undefined;
  };
}

/** A validator, or a plain JSON Schema (draft 2020-12). */
export type Schema<Output> = StandardSchema<Output> | JsonObject;

/** A schema in the two forms that are needed: one for the model, one for what it answers. */
export interface ReadySchema<Output> {
  readonly jsonSchema: JsonObject;
  /** @returns The value, or what is wrong in sentences. */
  validate(value: JsonValue): Promise<{ readonly value: Output } | { readonly issues: string[] }>;
}

/** Some libraries have schemas that are functions. */
const SCHEMA = either<never, never>(
  { ...OBJECT, expected: 'a Standard Schema, such as one of zod, or a JSON Schema' },
  FUNCTION,
);

/**
 * Makes a schema ready.
 *
 * @throws LLMError with the code `unsupported` for a validator that cannot give a JSON Schema.
 */
export async function readySchema<Output>(schema: Schema<Output>): Promise<ReadySchema<Output>> {
  checkArgument('a schema', schema, SCHEMA);
  if (isStandard(schema)) return fromStandard(schema);
  const { compileJsonSchema } = await import('./json-schema.ts');
  const issuesOf = compileJsonSchema(schema);
  return {
    jsonSchema: schema,
    async validate(value) {
      const issues = issuesOf(value);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema says so
      return issues.length > 0 ? { issues } : { value: value as Output };
    },
  };
}

function isStandard<Output>(schema: Schema<Output>): schema is StandardSchema<Output> {
  return '~standard' in schema;
}

function fromStandard<Output>({ '~standard': own }: StandardSchema<Output>): ReadySchema<Output> {
  const written = writeJsonSchema(own);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Standard JSON Schema says so
  const { $schema: _, ...jsonSchema } = (written ?? {}) as JsonObject;
  if (!written || !isJsonObject(jsonSchema)) {
    const message = `schemas of '${own.vendor}' give no JSON Schema: use zod 4.2 or newer, or a JSON Schema`;
    throw new LLMError('unsupported', message);
  }
  return {
    jsonSchema,
    async validate(value) {
      const result = await validateSafely(own, value);
      if (!result.issues) return { value: result.value };
      return { issues: result.issues.map(({ message, path }) => `${pathText(path)}: ${message}`) };
    },
  };
}

/** Some types, such as dates, have no place in JSON. */
function writeJsonSchema({
  vendor,
  jsonSchema,
}: StandardSchema['~standard']): Record<string, unknown> | undefined {
  try {
    return jsonSchema?.input({ target: 'draft-2020-12' });
  } catch (cause) {
    const message = `the schema of '${vendor}' cannot be written as JSON Schema: ${messageOf(cause)}`;
    throw new LLMError('unsupported', message, { cause });
  }
}

/** An exception of a check is its finding. */
async function validateSafely<Output>(
  own: StandardSchema<Output>['~standard'],
  value: unknown,
): Promise<StandardResult<Output>> {
  try {
    return await own.validate(value);
  } catch (error) {
    return { issues: [{ message: messageOf(error) }] };
  }
}

function pathText(path: readonly (PropertyKey | { readonly key: PropertyKey })[] = []): string {
  const keys = path.map((step) => String(typeof step === 'object' ? step.key : step));
  return keys.length > 0 ? `/${keys.join('/')}` : 'the answer';
}
