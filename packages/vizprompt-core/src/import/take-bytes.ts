import type { FileStore, JsonValue } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import type { NodeFilePart } from '../node/node.ts';
import { storeDataUrl } from '../thread/data-urls.ts';
import { dataUrlIn, dataUrlOf } from './files.ts';

/** A value without the bytes of the files in it. */
export interface WithoutBytes {
  /** The value, with the path of each file in place of its bytes. */
  readonly value: JsonValue;
  readonly files: readonly NodeFilePart[];
}

/**
 * Stores the files within a value, such as the pictures that a tool gave back, each once: `data:` URLs, and Base64
 * with a media type next to it or with the beginning of a known kind of file.
 */
export async function takeBytes(store: FileStore, value: JsonValue): Promise<WithoutBytes> {
  const files: NodeFilePart[] = [];
  const taken = async (url: string, mediaType?: string): Promise<string | undefined> => {
    const type = mediaType ?? /^data:([^;,]+)/.exec(url)?.[1];
    const part = await storeDataUrl(store, { type: 'file', uri: url });
    if (part.path === undefined) return undefined;
    const named = type === undefined ? part : { ...part, mediaType: type };
    if (!files.some(({ path }) => path === part.path)) files.push(named);
    return part.path;
  };
  const visit = async (each: JsonValue): Promise<JsonValue> => {
    if (typeof each === 'string') {
      const url = each.startsWith('data:') ? each : dataUrlOf(each);
      return (url === undefined ? undefined : await taken(url)) ?? each;
    }
    if (Array.isArray(each)) {
      const list: JsonValue[] = [];
      for (const item of each) list.push(await visit(item));
      return list;
    }
    if (!isJsonObject(each)) return each;
    const found = dataUrlIn(each);
    const fields: [string, JsonValue][] = [];
    for (const [key, inner] of Object.entries(each)) {
      const path = found?.key === key ? await taken(found.url, found.mediaType) : undefined;
      fields.push([key, path ?? (await visit(inner))]);
    }
    return Object.fromEntries(fields);
  };
  return { value: await visit(value), files };
}
