import { type Document, Lexer, LineCounter, parseDocument } from 'yaml';
import { guardYaml, repeatedKey } from '@vizprompt/providers/config/internal';
import { lineStarts } from '@vizprompt/providers/internal';

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
