// Names that a part of a program uses and another part declares: without them it does not run alone.
import ts from 'typescript';

/** Returns the names that the lines between `start` and `end`, counted from 0, use and only other lines declare. */
export function missingNames(file, text, start, end) {
  const program = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const inside = new Set();
  const outside = new Set();
  const used = new Set();
  const visit = (node) => {
    if (ts.isIdentifier(node)) {
      const { line } = program.getLineAndCharacterOfPosition(node.getStart());
      const isInside = line > start && line < end;
      if (isDeclared(node)) (isInside ? inside : outside).add(node.text);
      else if (isInside && !isMember(node)) used.add(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(program);
  return [...used].filter((name) => outside.has(name) && !inside.has(name));
}

/** Checks whether an identifier is the name of a variable, a parameter, a function, a type or an import. */
function isDeclared({ parent, text }) {
  const isNamed =
    ts.isVariableDeclaration(parent) ||
    ts.isParameter(parent) ||
    ts.isFunctionDeclaration(parent) ||
    ts.isClassDeclaration(parent) ||
    ts.isInterfaceDeclaration(parent) ||
    ts.isBindingElement(parent) ||
    ts.isImportSpecifier(parent) ||
    ts.isImportClause(parent) ||
    ts.isNamespaceImport(parent);
  return isNamed && parent.name?.text === text;
}

/** Checks whether an identifier is the name of a member or a property, which is no name of the program. */
function isMember(node) {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  if (ts.isBindingElement(parent)) return true;
  return ts.isPropertyAssignment(parent) && parent.name === node;
}
