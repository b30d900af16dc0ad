import { isRecord } from '../json/fields.ts';
import type { ProviderMeta } from '../models/message.ts';

/** JSON in mutable types: it fits our read-only ones and those of the AI SDK. */
export type PlainJson = string | number | boolean | null | PlainJson[] | PlainObject;

/** An object of {@link PlainJson}. */
export type PlainObject = { [key: string]: PlainJson };

/** Marks of this adapter on parts of the AI SDK that the contract has no field for. */
const AI_SDK = 'ai-sdk';

/** Returns a deep copy as `JSON.stringify` would write it: `undefined` fields are left out. */
export function plainJson(value: unknown): PlainJson {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value;
  }
  if (Array.isArray(value)) return value.map((item: unknown) => plainJson(item));
  if (value instanceof Date) return value.toJSON();
  return isRecord(value) ? plainObject(value) : null;
}

/** Returns the same for what must be an object. */
export function plainObject(value: object): PlainObject {
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(entries.map(([key, field]) => [key, plainJson(field)]));
}

/** Returns a provider's data on a part, as `meta`, with the marks of this adapter; to be spread. */
export function metaOf(
  metadata: Readonly<Record<string, object>> | undefined,
  marks?: PlainObject,
): { readonly meta?: ProviderMeta } {
  if (metadata === undefined && marks === undefined) return {};
  return { meta: { ...providerRecord(metadata ?? {}), ...(marks && { [AI_SDK]: marks }) } };
}

/** `meta` as a provider takes it back, without the marks of this adapter; to be spread. */
export function optionsOf(meta: ProviderMeta | undefined): {
  providerOptions?: Record<string, PlainObject>;
} {
  if (meta === undefined) return {};
  const { [AI_SDK]: _marks, ...rest } = meta;
  return Object.keys(rest).length === 0 ? {} : { providerOptions: providerRecord(rest) };
}

/** `meta` as the AI SDK carries it along, with the marks; to be spread. */
export function metadataOf(meta: ProviderMeta | undefined): {
  providerMetadata?: Record<string, PlainObject>;
} {
  return meta === undefined ? {} : { providerMetadata: providerRecord(meta) };
}

/** Returns a mark that {@link metaOf} set. */
export function markOf(meta: ProviderMeta | undefined, name: string): unknown {
  return meta?.[AI_SDK]?.[name];
}

function providerRecord(record: Readonly<Record<string, object>>): Record<string, PlainObject> {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key, plainObject(value)]),
  );
}

/** Decodes base64. */
export function fromBase64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'));
}
