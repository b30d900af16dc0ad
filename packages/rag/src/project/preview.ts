/** How much of a file is read for its preview, in bytes. */
export const PREVIEW_BYTES = 4096;

const MAX_LENGTH = 160;
const FRONT_MATTER = /^---[ \t]*\r?\n[^]*?\r?\n---[ \t]*(?:\r?\n|$)/;

/** The beginning of a text on one line, without its front matter, at most 160 characters. */
export function previewOf(bytes: Uint8Array): string {
  // The bytes may end within a character.
  const text = new TextDecoder().decode(bytes, { stream: true });
  const line = text.replace(FRONT_MATTER, '').replaceAll(/\s+/g, ' ').trim();
  const characters = Array.from(line);
  if (characters.length <= MAX_LENGTH) return line;
  return `${characters.slice(0, MAX_LENGTH - 1).join('')}…`;
}
