// Runs in an empty project: imports and requires each entry, and prints what is wrong.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const entries = JSON.parse(process.argv[2]);
const problems = [];
for (const { name, isCode } of entries) {
  try {
    const required = require(name);
    if (!isCode) continue;
    const imported = await import(name);
    const names = Object.keys(imported);
    const isSame = names.every((each) => required[each] === imported[each]);
    // The root of a package of types alone has none.
    if (!isSame) problems.push(`require('${name}') gives another thing than import`);
    if (names.length === 0) problems.push(`${name} exports nothing`);
  } catch (error) {
    problems.push(`${name} cannot be loaded: ${error.code ?? ''} ${error.message}`);
  }
}
console.log(JSON.stringify(problems));
