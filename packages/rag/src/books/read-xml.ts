import { NAMED_CHARACTERS } from '../spelling/named-characters.ts';
import { decodeXml } from '../encoding/decode-xml.ts';
import { loadBookPackages } from './load-packages.ts';
import { repairXml } from './repair-xml.ts';
import { BookProblem, type ZipParts } from './zip-parts.ts';

/** Elements within each other, at most. */
const DEEPEST = 1000;

/** An element, by its local name. */
export interface XmlTag {
  readonly name: string;
  /** By local names; of two with one, the last. */
  readonly attributes: ReadonlyMap<string, string>;
}

/** Receives the content of an XML file in its order. */
export interface XmlHandler {
  open?(tag: XmlTag): void;
  text?(text: string): void;
  close?(name: string): void;
}

/**
 * Reads an XML file of a book without a tree. Entities that the file defines are not expanded; what is not well-formed is
 * repaired, as readers of books do.
 *
 * @throws BookProblem for what cannot be unpacked.
 */
export async function readXml(parts: ZipParts, name: string, handler: XmlHandler): Promise<void> {
  const { SaxesParser } = (await loadBookPackages()).saxes;
  const parser = new SaxesParser({ position: false });
  Object.assign(parser.ENTITIES, NAMED_CHARACTERS);
  parser.on('error', () => undefined);
  parser.on('opentag', ({ name: tag, attributes }) => {
    const entries = Object.entries(attributes).map(
      ([key, value]) => [localName(key), value] as const,
    );
    handler.open?.({ name: localName(tag), attributes: new Map(entries) });
  });
  parser.on('closetag', ({ name: tag }) => handler.close?.(localName(tag)));
  const text = (piece: string): void => handler.text?.(piece);
  parser.on('text', text);
  parser.on('cdata', text);
  const pieces: Buffer[] = [];
  for await (const piece of parts.read(name)) pieces.push(piece);
  const xml = repairXml(decodeXml(Buffer.concat(pieces)), DEEPEST);
  if (xml === undefined) throw new BookProblem(`its file ${name} is nested too deeply`);
  parser.write(xml).close();
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
