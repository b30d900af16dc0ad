import { type Document, Lexer, LineCounter, parseDocument } from 'yaml';
import { guardYaml, repeatedKey } from '@vizprompt/providers/config/internal';
import { isJsonObject, lineStarts } from '@vizprompt/providers/internal';

/** A YAML document, or what is wrong with it and where. */
export type ParsedYaml = { readonly lineCounter: LineCounter } & (
  | { readonly document: Document.Parsed; readonly problem?: undefined }
  | { readonly document?: undefined; readonly problem: YamlProblem }
);

interface YamlProblem {
  readonly message: string;
  /** In UTF-16 code units. */
  readonly offset: number;
  readonly cause?: unknown;
}

/**
 * Parses YAML that may come from elsewhere, in linear time.
 *
 * @param maxTokens - As for `guardYaml`. The size of files is limited where they are read.
 */
export function parseYaml(text: string, maxTokens?: number): ParsedYaml {
  const lineCounter = new LineCounter();
  const excess = guardYaml(new Lexer(), text, {
    maxCharacters: Infinity,
    ...(maxTokens === undefined ? {} : { maxTokens }),
  });
  if (excess) {
    lineCounter.lineStarts = lineStarts(text);
    return { lineCounter, problem: { message: excess.problem, offset: excess.offset } };
  }
  const document = parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: false });
  const [error] = document.errors;
  if (error) {
    return { lineCounter, problem: { message: error.message, offset: error.pos[0], cause: error } };
  }
  const repeated = repeatedKey(document);
  if (repeated === undefined) return { lineCounter, document };
  return { lineCounter, problem: { message: 'Map keys must be unique', offset: repeated } };
}

/**
 * Parses YAML into plain values.
 *
 * @throws Error that says what is wrong.
 */
export function parseYamlValue(text: string): unknown {
  const { document, problem } = parseYaml(text, Infinity);
  if (problem) throw new Error(problem.message, { cause: problem.cause });
  return document.toJS();
}

/** Words that YAML 1.1 or 1.2 readers take for a boolean or for nothing. */
const RESERVED = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf)$/i;
/** Letters of any language, and marks within that mean nothing in YAML. */
const PLAIN = /^[\p{L}_][\p{L}\p{M}\p{N}_ ./()（）「」・、。！？ー-]*$/u;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Characters that JSON writes as they are and YAML does not allow in a file. */
const UNPRINTABLE =
  // oxlint-disable-next-line no-control-regex
  /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/**
 * Returns a text as a YAML scalar on one line: plain where no reader of YAML 1.1 or 1.2 could take it for
 * anything but this text (times and ids included), else between double quotes.
 */
export function yamlScalar(text: string): string {
  if (TIMESTAMP.test(text) || UUID.test(text)) return text;
  if (PLAIN.test(text) && !text.endsWith(' ') && !RESERVED.test(text)) return text;
  return yamlJson(text);
}

/** A value of JSON as YAML on one line. */
export function yamlJson(value: unknown): string {
  return JSON.stringify(value).replace(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The JSON of an object that {@link yamlJson} wrote; `undefined` for every other form. */
export function readYamlJson(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && yamlJson(value) === text ? text : undefined;
  } catch {
    return undefined;
  }
}

/** The text of a scalar that {@link yamlScalar} wrote; `undefined` for every other form. */
export function readYamlScalar(scalar: string): string | undefined {
  if (scalar.startsWith('"')) {
    try {
      const text: unknown = JSON.parse(scalar);
      return typeof text === 'string' ? text : undefined;
    } catch {
      return undefined;
    }
  }
  return yamlScalar(scalar) === scalar ? scalar : undefined;
}
