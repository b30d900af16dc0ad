import type { JsonObject, JsonValue } from '@vizprompt/providers';

/** The variable `errors`: what failed and was dealt with, under the ids of the steps. */
export function errorsIn({ errors }: { readonly [name: string]: JsonValue }): JsonObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- set by the interpreter only
  return (errors ?? {}) as JsonObject;
}
