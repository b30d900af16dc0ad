import { TextDecoder } from 'node:util';
import { decodeText } from './decode-text.ts';

/** Names an encoding in the declaration of XML, or in the head of HTML. */
const DECLARED =
  /(?:<\?xml[^>]{0,200}?\sencoding|<meta[^>]{0,200}?\bcharset)\s*=\s*["']?([\w.:-]{1,40})/i;
const HEAD_BYTES = 1024;
/** Names of Shift_JIS that `TextDecoder` does not have. */
const WINDOWS = /^(?:cp|ibm-?|windows-|x-ms-cp|ms)_?9(?:32|43)c?$/i;

/** Decodes an XML file of a book: by its byte order mark, as UTF-8, in the encoding that it declares, or by its text. */
export function decodeXml(bytes: Buffer): string {
  const [first = 0, second = 0] = bytes;
  if (first === 0xff && second === 0xfe) return decode('utf-16le', bytes);
  if (first === 0xfe && second === 0xff) return decode('utf-16be', bytes);
  if (first === 0x3c && second === 0) return decode('utf-16le', bytes);
  if (first === 0 && second === 0x3c) return decode('utf-16be', bytes);
  const label = DECLARED.exec(bytes.toString('latin1', 0, HEAD_BYTES))?.[1] ?? 'utf-8';
  const declared = WINDOWS.test(label) ? 'shift_jis' : label.toLowerCase();
  // Where the declaration can be read as ASCII, UTF-16 is false.
  const known = isKnown(declared) && !declared.startsWith('utf-16') ? declared : 'utf-8';
  const order = known === 'iso-2022-jp' ? [known] : ['utf-8', known];
  for (const encoding of order) {
    const text = decodeWhole(encoding, bytes);
    if (text !== undefined) return text;
  }
  return decodeText(bytes) ?? decode(known, bytes);
}

function isKnown(encoding: string): boolean {
  try {
    return new TextDecoder(encoding).encoding !== '';
  } catch {
    return false;
  }
}

function decode(encoding: string, bytes: Buffer): string {
  return new TextDecoder(encoding).decode(bytes);
}

function decodeWhole(encoding: string, bytes: Buffer): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
