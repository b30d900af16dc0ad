import { isJsonObject } from '@vizprompt/providers/internal';
import type { ImportLimits } from '../limits.ts';
import { bytesOf, type PackedFile, unlessDamaged } from './zip-archive.ts';
import { parseNested } from './fields.ts';

/** A file that was found next to conversations. */
interface FoundFile {
  /** The name that its user gave it, if known. */
  readonly name: string;
  readonly data: Uint8Array;
}

/** Finds the file that a part of a message names, by its address or its name. */
export type FileFinder = (
  uri: string | undefined,
  name: string | undefined,
) => Promise<FoundFile | undefined>;

/** The file that lists the names of files that ChatGPT renamed to `.dat`. */
const NAMES = /(?:^|\/)conversation_asset_file_names\.json$/;

/** Creates a finder for the files of a folder or an archive. */
export function finderOf(files: readonly PackedFile[], limits: ImportLimits): FileFinder {
  let places: Map<string, PackedFile> | undefined;
  let names: Promise<ReadonlyMap<string, string>> | undefined;
  return async (uri, name) => {
    places ??= placesOf(files);
    names ??= namesOf(files, limits);
    const wanted = [...keysOf(uri), ...(name === undefined ? [] : [name])];
    const file = wanted.map((key) => places?.get(key)).find((each) => each !== undefined);
    if (!file) return undefined;
    const data = await bytesOf(await file.open(), limits.attachmentBytes);
    if (!data) return undefined;
    const base = baseOf(file.name);
    return { name: name ?? (await names).get(base) ?? base, data };
  };
}

/** Returns the files by their names, with and without folders, and by the ids that their names begin with. */
function placesOf(files: readonly PackedFile[]): Map<string, PackedFile> {
  const places = new Map<string, PackedFile>();
  for (const file of files) {
    const base = baseOf(file.name);
    for (const key of [file.name, base, ...idsOf(base)])
      if (!places.has(key)) places.set(key, file);
  }
  return places;
}

/** Returns the id that a name begins with: `file-AbC123-photo.png`, `file_00ab.dat`, `0b7e…uuid.png`. */
function idsOf(base: string): readonly string[] {
  const [id] =
    /^file[-_][0-9a-zA-Z]+/.exec(base) ??
    /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.exec(base) ??
    [];
  const stem = base.replace(/\.[^.]*$/, '');
  return id === undefined ? [stem] : [id, stem];
}

/** Returns the names of an address in a folder: `sediment://file_00ab`, `claude-file:UUID`, `images/a.png`. */
function keysOf(uri: string | undefined): readonly string[] {
  if (uri === undefined || /^(?:https?|data):/i.test(uri)) return [];
  const plain = uri.replace(/^[a-z-]+:(?:\/\/)?/i, '');
  return [plain, baseOf(plain)];
}

function baseOf(name: string): string {
  return name.replace(/^.*[/\\]/, '');
}

async function namesOf(
  files: readonly PackedFile[],
  limits: ImportLimits,
): Promise<ReadonlyMap<string, string>> {
  const file = files.find(({ name }) => NAMES.test(name));
  const data = file && (await bytesOf(await file.open(), limits.nodeBytes).catch(unlessDamaged));
  const value = data ? parseNested(data.toString('utf8')) : undefined;
  const listed = isJsonObject(value) ? Object.entries(value) : [];
  return new Map(
    listed.flatMap(([key, name]) =>
      typeof name === 'string' ? [[baseOf(key), name] as const] : [],
    ),
  );
}
