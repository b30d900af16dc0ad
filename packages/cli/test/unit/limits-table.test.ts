import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** A row of `docs/limits.md`, and the constants of the sources that its figures are. */
const TABLE: readonly (readonly [row: string, ...constants: readonly string[]])[] = [
  ['tags of a node file', 'vizprompt-core/src/node/parse-xml.ts#MAX_TAGS'],
  ['attributes of an element', 'vizprompt-core/src/node/parse-xml.ts#MAX_ATTRIBUTES'],
  ['characters of a node file outside', 'vizprompt-core/src/node/parse-xml.ts#MAX_LOOSE'],
  ['characters of a prompt', 'vizprompt-core/src/index/node-index.ts#MAX_INDEXED'],
  ['files in a zip archive', 'vizprompt-core/src/import/zip-archive.ts#MOST_FILES'],
  ['a text or an event', 'memory/src/open-context.ts#MAX_CONTENT_BYTES'],
  ['levels of the data', 'memory/src/redact/redactor.ts#MAX_DEPTH'],
  ['metadata of a session', 'memory/src/open-context.ts#MAX_METADATA_BYTES'],
  ['a path', 'memory/src/model/paths.ts#MAX_PATH'],
  ['a page of events', 'memory/src/log/list-events.ts#PAGE_BYTES'],
  ['a page of an answer of REST', 'memory/src/http/answers.ts#PAGE_BYTES'],
  ['a record of an export', 'memory/src/exchange/read-records.ts#MAX_RECORD_CHARACTERS'],
  ['a line of a transcript', 'memory/src/capture/import/read-file.ts#MAX_DOCUMENT'],
  [
    'a body of a request',
    'memory/src/http/create-memory-app.ts#MAX_BODY_BYTES',
    'memory/src/http/define-route.ts#MAX_DEPTH',
  ],
  [
    'a file or a batch of files in a folder',
    'providers/src/files/local-file-store.ts#MAX_FILE_BYTES',
  ],
  ['the header of a table', 'providers/src/static-embeddings/safetensors.ts#MAX_HEADER_BYTES'],
  ['a file of settings', 'providers/src/static-embeddings/static-model.ts#MAX_JSON_BYTES'],
  ['what is held for a client', 'providers/src/serving/stream-texts.ts#PIECE_CHARACTERS'],
  ['large answers', 'providers/src/serving/held-texts.ts#MAX_CHARACTERS'],
  [
    'requests of MCP on standard',
    'providers/src/serving/held-input.ts#FEW_OPEN',
    'providers/src/serving/held-input.ts#MAX_OPEN',
    'providers/src/serving/held-input.ts#LARGE_UNREAD',
  ],
  [
    'answers of MCP on standard',
    'providers/src/serving/held-input.ts#MAX_UNREAD',
    'providers/src/serving/held-output.ts#PIECE_BYTES',
    'providers/src/serving/held-output.ts#PATIENCE_MS',
    'providers/src/serving/held-output.ts#MAX_FILE_BYTES',
  ],
  ['how long a client', 'providers/src/serving/held-answer.ts#UNREAD_MS'],
  ['a message of a client', 'rag/src/mcp/load-mcp.ts#MAX_MESSAGE_BYTES'],
  ['a file of a novel', 'rag/src/files/file-area.ts#MAX_FILE_BYTES'],
  ['a book (EPUB, DOCX)', 'rag/src/books/book-names.ts#BOOK_FACTOR'],
  ['text that a book unpacks to', 'rag/src/books/zip-parts.ts#MOST_BYTES'],
  ['files in a book', 'rag/src/books/zip-parts.ts#MOST_ENTRIES'],
  ['elements within each other', 'rag/src/books/read-xml.ts#DEEPEST'],
  ['the settings file', 'rag/src/config/load-rag-config.ts#MAX_BYTES'],
  ['its levels', 'workflow/src/load/fast-yaml.ts#MAX_DEPTH'],
  ['levels of folders', 'rag/src/files/list-folder.ts#MAX_DEPTH'],
  ['front matter of a file', 'rag/src/chunk/front-matter.ts#MAX_LENGTH'],
  ['aliases in front matter', 'rag/src/chunk/front-matter.ts#MAX_ALIASES'],
  ['a query', 'rag/src/query/parse-query.ts#MAX_QUERY_LENGTH'],
  ['the texts of an answer', 'rag/src/mcp/tool-result.ts#MAX_TEXT_CHARACTERS'],
  [
    'a file of a talk or a workflow',
    'talktable/src/config/load-config.ts#MAX_FILE_BYTES',
    'workflow/src/load/read-source.ts#MAX_FILE_BYTES',
  ],
  ['expressions that a condition', 'workflow/src/language/cel.ts#MAX_COST'],
  ['instructions of a regular expression', 'workflow/src/language/cel.ts#MAX_PROGRAM'],
  ['takeovers of a run', 'workflow/src/runtime/durable-runtime.ts#MAX_TAKEOVERS'],
  ['answers of an agent', 'workflow/src/run/agent-tools.ts#MAX_ROUNDS'],
  ['turns of a team', 'workflow/src/definition/team.ts#MAX_TURNS'],
  ['missed times of a schedule', 'workflow/src/runtime/local-schedules.ts#MOST'],
  [
    'bytes of a body of a request of workflows',
    'workflow/src/http/workflow-handler.ts#MAX_BODY_BYTES',
  ],
  ['bytes of a dataset of an evaluation', 'workflow/src/evaluation/cases.ts#MAX_BYTES'],
];

const DOCUMENT = readFileSync(new URL('../../../../docs/limits.md', import.meta.url), 'utf8');

/** Returns the value of a constant, a product or a shift of numbers. */
function valueOf(place: string): number {
  const [file = '', name = ''] = place.split('#');
  const source = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
  const [, term = ''] = new RegExp(`const ${name}(?:: number)? = ([\\d_ *<]+);`).exec(source) ?? [];
  const [base = '', shift = '0'] = term.replaceAll('_', '').split('<<');
  return (
    base.split('*').reduce((product, factor) => product * Number(factor), 1) * 2 ** Number(shift)
  );
}

/** Returns the figures of the row that begins with these words. */
function figuresOf(row: string): readonly number[] {
  const line = DOCUMENT.split('\n').find((each) => each.startsWith(`| ${row}`)) ?? '';
  const figures = line.split('|')[2]?.match(/\d[\d,]*\d|\d/g) ?? [];
  return figures.map((figure) => Number(figure.replaceAll(',', '')));
}

describe('docs/limits.md', () => {
  it.each(TABLE)('says of %s what the constants are', (row, ...constants) => {
    for (const constant of constants) expect(figuresOf(row)).toContain(valueOf(constant));
  });
});
