// Asks one system the questions of several sets of texts; prints the best ten of each as JSON.
import { mkdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { openAnalyzer, tokensOf } from './open-analyzer.mjs';
import { openOurs } from './systems/ours.mjs';
import { SYSTEMS } from './systems/index.mjs';

const [, , name, folder, dictionaries, file] = process.argv;
const open = name === 'ours' ? openOurs : await SYSTEMS[name]();
const tokens = tokensOf(await openAnalyzer(dictionaries));
const answers = [];
const failures = [];
for (const [number, { texts, questions }] of JSON.parse(await readFile(file, 'utf8')).entries()) {
  const own = join(folder, `${basename(file, '.json')}-${name}-${number}`);
  await mkdir(own);
  const system = await open({ folder: own, tokens, dictionaries });
  for (const [id, { title, text }] of texts.entries()) {
    // All get the title: ours as a field, the others in front of the text unless it stands there.
    if (name === 'ours') system.add(id, text, title);
    else await system.add(id, text.startsWith(title) ? text : `${title}\n${text}`);
  }
  await system.done();
  const found = [];
  for (const question of questions) found.push(await ask(system, question));
  answers.push(found);
  await system.close();
}
console.log(JSON.stringify({ answers, failures }));

async function ask(system, question) {
  try {
    return await system.search(question, 10);
  } catch (error) {
    failures.push(`${question}: ${error.message}`);
    return [];
  }
}
