// Keeps the tables of options in Markdown the same as the types, whose doc comments they are made of:
//   <!-- options: packages/memory/src/open-context.ts#MemoryStoreOptions -->
// is before each. `<!-- options-ja: ... -->` makes a table in Japanese, by the translations in docs/ja/options/words.json;
// a text without one stays in English, with a warning. `npm run options` fails where they differ, `npm run options -- --write` writes them.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import ts from 'typescript';
import { markdownFiles } from './markdown.mjs';

const isWriting = process.argv.includes('--write');
const WORDS_JA = 'docs/ja/options/words.json';
const MARK = /^(<!-- options(-ja)?: (\S+)#(\w+) -->\n)(?:\n((?:\|.*\n)+))?/gm;
const COMMON_JA = {
  type: '型',
  default: '既定',
  what: '意味',
  needed: '必須',
  object: 'オブジェクト',
  function: '関数',
};
const wordsJa = existsSync(WORDS_JA) ? JSON.parse(readFileSync(WORDS_JA, 'utf8')) : {};
const printer = ts.createPrinter({ removeComments: true });
const sources = new Map();
let count = 0;
let isStale = false;

for (const { file, text } of markdownFiles()) {
  const synced = text.replaceAll(MARK, (whole, mark, japanese, path, name, table = '') => {
    count++;
    const rows = rowsOfType(path, name);
    const fresh = printTable(japanese === undefined ? rows : rows.map((row) => inJapanese(row)));
    return bare(fresh) === bare(table) ? whole : `${mark}\n${fresh}`;
  });
  if (synced === text) continue;
  if (isWriting) {
    writeFileSync(file, synced);
    console.log(`wrote ${file}`);
  } else {
    isStale = true;
    console.error(`${file}: a table of options differs from its type: npm run options -- --write`);
  }
}
if (count === 0) throw new Error('there are no tables of options: the marks are not found');
process.exit(isStale ? 1 : 0);

/** A table without what only makes it look even. */
function bare(table) {
  return table.replaceAll(/ +/g, ' ').replaceAll(/-+/g, '-');
}

function rowsOfType(path, name) {
  const source = sourceOf(path);
  const declaration = source.statements.find(
    (statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === name,
  );
  if (!declaration) throw new Error(`${path} has no interface ${name}`);
  const rows = [
    ...declaration.members.flatMap((member) => rowsOf(member, source, '')),
    ...(declaration.heritageClauses ?? []).flatMap(({ types }) =>
      types.map((base) => [wordsFor(base, source), '', '', '']),
    ),
  ];
  return [[`\`${name}\``, 'type', 'default', 'what'], ...rows];
}

/** Translates the cells of a row: of its first one only what is not code. */
function inJapanese([name, type, standard, what]) {
  return [japaneseBase(name), translated(type), translated(standard), translated(what)];
}

/** `all of `A` but `b``, in Japanese. */
function japaneseBase(name) {
  const [, of, names] = /^all of (`\w+`)(?: but (.*))?$/.exec(name) ?? [];
  if (of === undefined) return name;
  return names === undefined
    ? `${of} のすべて`
    : `${of} から ${names.replaceAll(', ', '、')} を除いたすべて`;
}

function translated(text) {
  const found = COMMON_JA[text] ?? wordsJa[text];
  if (found !== undefined) return found;
  // Code and numbers are the same in all languages.
  if (!/[A-Za-z]/.test(text.replaceAll(/`[^`]*`/g, ''))) return text;
  console.warn(`${WORDS_JA} has no translation of: ${text}`);
  return text;
}

function sourceOf(path) {
  const known = sources.get(path);
  if (known) return known;
  const text = readFileSync(path, 'utf8');
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  sources.set(path, source);
  return source;
}

/** An option, and those that lie in it. */
function rowsOf(member, source, prefix) {
  const name = `${prefix}${member.name.getText(source)}`;
  const inner = isFunction(member) ? undefined : objectIn(member.type);
  const { what, standard } = commentOf(member);
  const row = [
    `\`${name}\``,
    isFunction(member) ? 'function' : inner ? 'object' : typeText(member.type, source),
    standard ?? (member.questionToken ? '' : 'needed'),
    what,
  ];
  return [row, ...(inner?.members ?? []).flatMap((below) => rowsOf(below, source, `${name}.`))];
}

function isFunction(member) {
  if (ts.isMethodSignature(member)) return true;
  return givenTypes(member.type).every((type) => ts.isFunctionTypeNode(type));
}

function objectIn(type) {
  return givenTypes(type).find((one) => ts.isTypeLiteralNode(one));
}

/** What can be given: `undefined` is as if absent. */
function givenTypes(type) {
  const types = ts.isUnionTypeNode(type) ? type.types : [type];
  return types
    .filter(({ kind }) => kind !== ts.SyntaxKind.UndefinedKeyword)
    .map((one) => (ts.isParenthesizedTypeNode(one) ? one.type : one));
}

/** The type as it is written, where it is short enough to be read. */
function typeText(type, source) {
  const text = givenTypes(type)
    .map((one) => printer.printNode(ts.EmitHint.Unspecified, one, source))
    .join(' | ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/readonly |Readonly(?=<Record)/g, '')
    .replaceAll(/<(Record<[^<>]*>)>/g, '$1');
  return text.length > 60 || text.startsWith('{') ? 'object' : `\`${text}\``;
}

/** What a doc comment says, and the default that it names. */
function commentOf(member) {
  const [comment] = ts.getJSDocCommentsAndTags(member);
  const text = (ts.getTextOfJSDocComment(comment?.comment) ?? '')
    .replaceAll(/\{@link (\w+)\}/g, '`$1`')
    .replaceAll(/\s+/g, ' ')
    .trim();
  // A sentence ends with a full stop that is not in a name, such as `~/.ptta/ptta.db`.
  const [whole, standard] = /\bDefault: ((?:`[^`]*`|[^.`]|\.(?!\s|$))*)(?:\.|$)/.exec(text) ?? [];
  if (whole === undefined) return { what: text };
  return { what: text.replace(whole, '').replaceAll(/\s+/g, ' ').trim(), standard };
}

/** `Omit<A, 'b' | 'c'>` becomes: all of `A` but `b`, `c`. */
function wordsFor(base, source) {
  const name = base.expression.getText(source);
  const [from, keys] = base.typeArguments ?? [];
  if (name !== 'Omit' && name !== 'Pick') return `all of \`${name}\``;
  const names = (ts.isUnionTypeNode(keys) ? keys.types : [keys]).map(
    (key) => `\`${key.literal.text}\``,
  );
  const of = `\`${from.getText(source)}\``;
  return name === 'Omit' ? `all of ${of} but ${names.join(', ')}` : `${names.join(', ')} of ${of}`;
}

function printTable(rows) {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = cells[0].map((_, at) => Math.max(...cells.map((row) => row[at].length)));
  const lines = cells.map((row) => row.map((cell, at) => cell.padEnd(widths[at])));
  const rule = widths.map((width) => '-'.repeat(width));
  return [lines[0], rule, ...lines.slice(1)].map((line) => `| ${line.join(' | ')} |\n`).join('');
}
