/** Any value that JSON can hold. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** An object that JSON can hold. */
export type JsonObject = { readonly [key: string]: JsonValue };
