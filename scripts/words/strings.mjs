// Sentences in the strings of programs: messages and descriptions, and the titles of tests.
import ts from 'typescript';

const TITLED = new Set(['describe', 'it', 'test']);
/** Three words in a row: a sentence, not a key or a name. */
const SENTENCE = /[A-Za-z'’]+ [a-z'’]+ [a-z'’]+/;

/** Lists the sentences in the strings of a program, with the line of each. */
export function sentencesIn(file, text) {
  const program = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const sentences = [];
  visit(program, (node) => {
    const prose = proseOf(node);
    if (prose === undefined || !SENTENCE.test(prose) || isMigrationName(node)) return;
    sentences.push(at(program, node, prose));
  });
  return sentences;
}

/** Lists the titles of tests: `it('reads a file', ...)`, `it.each(files)('reads %s', ...)`. */
export function titlesIn(file, text) {
  const program = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const titles = [];
  visit(program, (node) => {
    if (!ts.isCallExpression(node) || !TITLED.has(calleeOf(node))) return;
    const prose = node.arguments[0] && proseOf(node.arguments[0]);
    if (prose !== undefined) titles.push(at(program, node.arguments[0], prose));
  });
  return titles;
}

/** Databases have stored the names of migrations, so these cannot change: `{ version: 1, name: 'nodes' }`. */
function isMigrationName({ parent }) {
  if (!ts.isPropertyAssignment(parent) || parent.name.getText() !== 'name') return false;
  return parent.parent.properties.some(({ name }) => name?.getText() === 'version');
}

function visit(node, see) {
  see(node);
  ts.forEachChild(node, (child) => visit(child, see));
}

/** Returns the text of a string or a template, with a placeholder for each value; `undefined` for other nodes. */
function proseOf(node) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
}

/** Returns the first name of `it`, `it.each(rows)`, `describe.skipIf(x).each(rows)`. */
function calleeOf({ expression }) {
  let name = expression;
  while (!ts.isIdentifier(name)) {
    if (ts.isPropertyAccessExpression(name) || ts.isCallExpression(name)) name = name.expression;
    else return undefined;
  }
  return name.text;
}

function at(program, node, prose) {
  return {
    prose,
    line: program.getLineAndCharacterOfPosition(node.getStart(program)).line + 1,
  };
}
