import { z } from 'zod';

/** A schema for each key that a type has, no more and no less: so types and schemas cannot part. */
export type Shape<Type> = {
  readonly [Key in keyof Type]-?: z.ZodType<
    Type[Key] | ([undefined] extends [Type[Key]] ? undefined : OptionalOf<Type, Key>)
  >;
};

type OptionalOf<Type, Key extends keyof Type> = object extends Pick<Type, Key> ? undefined : never;

/** An object without other keys. */
export function strict<Type extends object>(shape: Shape<Type>, description: string): z.ZodObject {
  return z.strictObject(shape).meta({ description });
}

/** As {@link strict}, where the type is needed. */
export function strictOf<Type extends object>(
  shape: Shape<Type>,
  description: string,
): z.ZodType<Type> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as `Shape` proves
  return strict<Type>(shape, description) as unknown as z.ZodType<Type>;
}

/** A text that is not empty. */
export const text = (description: string): z.ZodString => z.string().min(1).describe(description);

/** A whole number from 1 on. */
export const count = (description: string): z.ZodInt => z.int().min(1).describe(description);
