import { z } from 'zod';
import type { OpenApiObject } from './openapi.ts';

/** Collects the schemas of a document that others refer to. */
export class OpenApiSchemas {
  readonly #named: Record<string, unknown> = {};

  /** The components that were referred to so far. */
  get named(): OpenApiObject {
    return this.#named;
  }

  /** A schema as JSON Schema, with what has a name among the components. */
  of(schema: z.ZodType): OpenApiObject {
    const made = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    const { $schema: _dialect, $defs: parts = {}, ...rest } = made;
    for (const [name, part] of Object.entries(parts)) {
      this.#named[componentOf(name)] = withReferences(part);
    }
    return withReferences(rest);
  }
}

/** What zod numbers is recursive, and the one such schema here is that of any JSON. */
function componentOf(name: string): string {
  return name.startsWith('__schema') ? 'Json' : name;
}

/** References in a document begin at its root. */
function withReferences(schema: object): OpenApiObject {
  const text = JSON.stringify(schema, (key, value: unknown) => {
    if (key !== '$ref' || typeof value !== 'string') return value;
    return `#/components/schemas/${componentOf(value.replace('#/$defs/', ''))}`;
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object stays one
  return JSON.parse(text) as OpenApiObject;
}
