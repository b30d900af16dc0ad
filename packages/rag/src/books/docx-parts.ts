import { posix } from 'node:path';
import { readXml } from './read-xml.ts';
import { BookProblem, type ZipParts } from './zip-parts.ts';

/** Returns the name of the main part of a document of Word. */
export async function mainPart(parts: ZipParts): Promise<string> {
  const targets = await relatedParts(parts, '');
  const name = targets.get('officeDocument') ?? parts.resolve('', 'word/document.xml');
  if (parts.has(name)) return name;
  throw new BookProblem('it is no document of Word: it has no main part');
}

/**
 * Returns the parts that belong to a part, by the last word of their relationship, such as `styles`: programs number
 * their names.
 *
 * @param from - The part; empty for the document.
 */
export async function relatedParts(
  parts: ZipParts,
  from: string,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const { dir, base } = posix.parse(from);
  const name = parts.resolve('', posix.join(dir, '_rels', `${base}.rels`));
  if (!parts.has(name)) return found;
  await readXml(parts, name, {
    open({ name: tag, attributes }) {
      const [type, target] = [attributes.get('Type'), attributes.get('Target')];
      if (tag !== 'Relationship' || type === undefined || target === undefined) return;
      const kind = type.slice(type.lastIndexOf('/') + 1);
      if (!found.has(kind)) found.set(kind, parts.resolve(from, target));
    },
  });
  return found;
}
