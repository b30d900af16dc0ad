import { hasJapanese } from './scripts.ts';

/** Lines that follow each other and either all have Japanese in them or none. */
export interface Block {
  readonly text: string;
  /** Where it begins. */
  readonly at: number;
  readonly isJapanese: boolean;
}

/** The blocks of a text, without the line breaks between them; empty lines go with the others. */
export function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let from = 0;
  let isJapanese: boolean | undefined;
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(at, end);
    if (line.trim() !== '' && hasJapanese(line) !== isJapanese) {
      if (isJapanese !== undefined)
        blocks.push({ text: text.slice(from, at - 1), at: from, isJapanese });
      if (isJapanese !== undefined) from = at;
      isJapanese = hasJapanese(line);
    }
    at = end + 1;
  }
  if (isJapanese !== undefined) blocks.push({ text: text.slice(from), at: from, isJapanese });
  return blocks;
}
