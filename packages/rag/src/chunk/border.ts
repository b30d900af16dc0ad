/** How good a place between two units is for a cut: the lower, the better. */
export const Border = {
  /** A change of scene: a line of stars, a thematic break, several blank lines. */
  scene: 0,
  /** The end of a block, or a blank line. */
  block: 1,
  /** The end of a line that ends a paragraph, or of an item of a list. */
  line: 2,
  /** The end of a line, item or block inside another block. */
  inner: 3,
  sentence: 4,
  /** The end of a line in the middle of a sentence. */
  wrap: 5,
  /** A comma or a blank. */
  clause: 6,
  /** Between two characters. */
  character: 7,
  /** Behind a heading, which belongs to what follows. */
  glue: 8,
} as const;

export type Border = (typeof Border)[keyof typeof Border];

/** So much text on either side of a border takes part in its rank. */
const CONTEXT = 16;

/**
 * The rank of a border among others: its kind first, then a hash of the text around it. Since nothing
 * else counts, the same text is cut in the same places wherever it stands.
 */
export function rankOf(text: string, offset: number, border: Border): number {
  return border * 2 ** 32 + hashOf(text, offset - CONTEXT, offset + CONTEXT);
}

/** FNV-1a over code units, with the final mix of MurmurHash3. */
export function hashOf(text: string, from: number, to: number): number {
  let hash = 0x81_1c_9d_c5;
  for (let at = Math.max(0, from); at < Math.min(to, text.length); at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2_b2_ae_35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
