import { z } from 'zod';

/** The keys that a schema knows at a place of a value. */
export function knownKeys(
  schema: z.core.$ZodType,
  value: unknown,
  path: readonly PropertyKey[],
): readonly string[] {
  const here = chosen(schema, value);
  const [step, ...rest] = path;
  if (step === undefined) return here instanceof z.ZodObject ? Object.keys(here.shape) : [];
  const below: unknown = Object(value)[step];
  if (here instanceof z.ZodObject) {
    const field = here.shape[String(step)];
    return field ? knownKeys(field, below, rest) : [];
  }
  if (here instanceof z.ZodArray) return knownKeys(here.element, below, rest);
  return here instanceof z.ZodRecord ? knownKeys(here.valueType, below, rest) : [];
}

/** The part of a schema that counts for a value: of a union the one for its `type`, or for an object. */
function chosen(schema: z.core.$ZodType, value: unknown): z.core.$ZodType {
  if (schema instanceof z.ZodOptional) return chosen(schema.unwrap(), value);
  if (schema instanceof z.ZodLazy) return chosen(schema.unwrap(), value);
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const { discriminator } = schema.def;
    const name: unknown = Object(value)[discriminator];
    const one = schema.options.find((option) => {
      const literal = option instanceof z.ZodObject ? option.shape[discriminator] : undefined;
      return literal instanceof z.ZodLiteral && literal.value === name;
    });
    return one ?? schema;
  }
  if (schema instanceof z.ZodUnion) {
    const options = schema.options.map((option) => chosen(option, value));
    const objects = options.filter((option) => option instanceof z.ZodObject);
    const fitting = objects.find((option) =>
      Object.keys(Object(value)).some((key) => Object.hasOwn(option.shape, key)),
    );
    return fitting ?? objects[0] ?? schema;
  }
  return schema;
}
