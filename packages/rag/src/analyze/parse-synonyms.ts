import { RagError } from '../errors.ts';

/** Names that mean the same: two or more, as they are written. */
export type SynonymGroup = readonly string[];

const SEPARATOR = /[,\t，、]/;
const COMMENT = /#.*$/;

/**
 * Parses a synonym file: a group on each line, its names separated by commas or tabs; `#` begins a
 * comment, empty lines are skipped.
 *
 * @throws RagError with the code `invalid-input` for an empty name, one that stands twice in a group,
 *   or a group of one name. Its context has `line` and `column`, from 1.
 *
 * @example
 * ```ts
 * parseSynonyms('坂本龍馬, 龍馬, 才谷梅太郎\n'); // [['坂本龍馬', '龍馬', '才谷梅太郎']]
 * ```
 */
export function parseSynonyms(source: string): readonly SynonymGroup[] {
  const lines = source.replace(/^\ufeff/, '').split(/\r\n|[\r\n]/);
  return lines.flatMap((text, index) => {
    const content = text.replace(COMMENT, '');
    return content.trim() === '' ? [] : [parseGroup(content, index + 1)];
  });
}

function parseGroup(content: string, line: number): SynonymGroup {
  const names: string[] = [];
  let column = 1;
  for (const field of content.split(SEPARATOR)) {
    const name = field.trim();
    const at = column + Math.max(field.search(/\S/), 0);
    if (name === '') fail('a name is missing', line, at);
    if (names.includes(name)) fail(`the name '${name}' stands twice in its group`, line, at);
    names.push(name);
    column += field.length + 1;
  }
  if (names.length === 1)
    fail(`the name '${names[0]}' stands alone: nothing means the same`, line, 1);
  return names;
}

function fail(problem: string, line: number, column: number): never {
  throw new RagError('invalid-input', `synonyms, line ${line}, column ${column}: ${problem}`, {
    context: { line, column },
  });
}
