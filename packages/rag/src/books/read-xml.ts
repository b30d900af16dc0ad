import { TextDecoder } from 'node:util';
import { NAMED_CHARACTERS } from '../spelling/named-characters.ts';
import { loadBookPackages } from './load-packages.ts';
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
 * Reads an XML file of a book as it is unpacked, without a tree. Entities that the file defines are not expanded; what is
 * not well-formed is passed over, as readers of books do.
 *
 * @throws BookProblem for what cannot be unpacked.
 */
export async function readXml(parts: ZipParts, name: string, handler: XmlHandler): Promise<void> {
  const { SaxesParser } = (await loadBookPackages()).saxes;
  const parser = new SaxesParser({ position: false });
  Object.assign(parser.ENTITIES, NAMED_CHARACTERS);
  let depth = 0;
  parser.on('error', () => undefined);
  parser.on('opentag', ({ name: tag, attributes }) => {
    depth += 1;
    if (depth > DEEPEST) throw new BookProblem(`its file ${name} is nested too deeply`);
    const entries = Object.entries(attributes).map(
      ([key, value]) => [localName(key), value] as const,
    );
    handler.open?.({ name: localName(tag), attributes: new Map(entries) });
  });
  parser.on('closetag', ({ name: tag }) => {
    depth -= 1;
    handler.close?.(localName(tag));
  });
  const text = (piece: string): void => handler.text?.(piece);
  parser.on('text', text);
  parser.on('cdata', text);
  let decoder: TextDecoder | undefined;
  for await (const piece of parts.read(name)) {
    decoder ??= decoderOf(piece);
    parser.write(decoder.decode(piece, { stream: true }));
  }
  parser.write(decoder?.decode() ?? '');
  parser.close();
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** @param start - The first bytes of a file, with its declaration. */
function decoderOf(start: Buffer): TextDecoder {
  const [first, second] = start;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be');
  const declaration = /^[^<]*<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/;
  const named = declaration.exec(start.toString('latin1', 0, 300))?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(named);
  } catch {
    return new TextDecoder();
  }
}
