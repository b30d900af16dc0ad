// From an export to a graph on disk: npm run quickstart [-- --input FILE]
//
// Imports a branched conversation, makes summaries and tags without a model, searches, merges two
// branches, and writes pictures. Run again, it adds nothing.
import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { FlowGraph, VizPrompt, type StoredFlow } from '@vizprompt/core';
import { highlight, progressBar, title } from './terminal.ts';

const { values } = parseArgs({
  options: {
    input: {
      type: 'string',
      default: fileURLToPath(new URL('conversations.json', import.meta.url)),
    },
    output: { type: 'string', default: 'quickstart-data' },
  },
});
/** The merge that this program makes; by its id it knows that it was here before. */
const MERGE_ID = '5a3c7f52-0f5e-4c62-9c1e-2f8f0c9d7b11';

const bar = progressBar();
await using vizprompt = await VizPrompt.open(values.output, {
  on: { 'build:progress': ({ done, total = 0 }) => bar.show(done, total) },
});

title(`1. Import ${relative('.', values.input)}`);
const report = await vizprompt.importConversations(values.input);
const { flows, nodes } = report;
const plus = (counts: readonly number[]): string => counts.join(' + ');
console.log(
  `${flows.length} conversations, ${report.messages.total} messages: ` +
    `${plus(flows.map((flow) => flow.nodes))} nodes, ` +
    `${plus(flows.map((flow) => flow.connections))} edges`,
);
console.log(`${nodes.created} nodes are new, ${nodes.unchanged} were here already.`);
for (const { entry, reason } of report.skipped) console.log(`left out ${entry}: ${reason}`);
for (const { id, name } of flows) console.log(`\n${name}\n${await vizprompt.toText(id)}`);

title('2. Summaries and tags, without a model');
const built = await vizprompt.build({ model: null });
bar.end();
console.log(`${built.built} nodes built.`);
const tags = (await vizprompt.listTags()).slice(0, 12);
console.log(tags.map(({ tag, nodes: count }) => `#${tag} (${count})`).join('  '));

title('3. Search');
const query =
  nodes.total > 0 && values.input.endsWith('conversations.json')
    ? '盗まれたトークン'
    : (tags[0]?.tag ?? '');
console.log(`「${query}」`);
for (const hit of await vizprompt.searchNodes({ text: query, limit: 3 })) {
  console.log(`  ${hit.title}`);
  if (hit.snippet) console.log(`    ${highlight(hit.snippet)}`);
}

title('4. Merge two branches');
const flow = await mostBranched();
const merged = await mergeBranches(flow);
console.log(merged);
await vizprompt.build({ model: null });
bar.end();

title('5. Pictures');
for (const [format, file] of [
  ['html', 'flow.html'],
  ['mermaid', 'flow.mmd'],
] as const) {
  await writeFile(join(values.output, file), await vizprompt.exportFlow(flow.id, { format }));
}
console.log(`In ${values.output}/ there are now
  nodes/      a prompt and its response in each XML file
  flows/      how they follow each other, in YAML
  metadata/   tags, keywords and summaries, and the maps of both
  flow.html   the graph of 「${flow.name}」: open it in a browser, click a node
  flow.mmd    the same for Mermaid
All of it is text that git can diff. Run this again: nothing is added twice.`);

async function mostBranched(): Promise<StoredFlow> {
  const all = await Promise.all(flows.map(({ id }) => vizprompt.getFlow(id)));
  const leaves = (one: StoredFlow): number => new FlowGraph(one).leaves().length;
  return all.reduce((best, one) => (leaves(one) > leaves(best) ? one : best));
}

async function mergeBranches(one: StoredFlow): Promise<string> {
  const graph = new FlowGraph(one);
  if (graph.has(MERGE_ID)) return 'They were merged by an earlier run.';
  const head = one.head ?? '';
  const other = graph.leaves().findLast((id) => id !== head && !graph.ancestors(head).includes(id));
  if (other === undefined) return 'There is only one branch here, and nothing to merge.';
  const [left, right] = await Promise.all([vizprompt.getNode(head), vizprompt.getNode(other)]);
  await vizprompt.createNode(
    {
      id: MERGE_ID,
      prompt: `二つの枝をまとめる / Merge two branches:\n- ${left.summary.text}\n- ${right.summary.text}`,
      response: '',
    },
    { flow: one.id, after: [head, other] },
  );
  return vizprompt.toText(one.id);
}
