import { readFrontMatter } from '../chunk/markdown/front-matter.ts';
import { noUtf8, tooLarge, type FileHead } from '../files/read-text-file.ts';
import { MAX_FILE_BYTES } from '../files/file-area.ts';
import type { NovelFile } from './novel-project.ts';

/** How much of a file is read for its preview, in bytes. */
export const PREVIEW_BYTES = 4096;

const MAX_LENGTH = 160;
const FRONT_MATTER = /^---[ \t]*\r?\n(?<yaml>[^]*?\r?\n)---[ \t]*(?:\r?\n|$)/;

/** What a list says of the text of a file. */
export type FilePreview = Pick<NovelFile, 'preview' | 'problem'>;

/** The beginning of a text on one line, without its front matter, at most 160 characters. */
export async function previewOf(path: string, { bytes, size }: FileHead): Promise<FilePreview> {
  if (size > MAX_FILE_BYTES) return { preview: '', problem: tooLarge(path, size) };
  let text: string;
  try {
    // The bytes may end within a character.
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return { preview: '', problem: noUtf8(path) };
  }
  const line = (await bodyOf(text)).replaceAll(/\s+/g, ' ').trim();
  const characters = Array.from(line);
  if (characters.length <= MAX_LENGTH) return { preview: line };
  return { preview: `${characters.slice(0, MAX_LENGTH - 1).join('')}…` };
}

async function bodyOf(text: string): Promise<string> {
  const found = FRONT_MATTER.exec(text);
  const yaml = found?.groups?.['yaml'];
  if (!found || yaml === undefined || !(await readFrontMatter(yaml))) return text;
  return text.slice(found[0].length);
}
