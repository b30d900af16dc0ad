// #region open
import { FlowGraph, VizPrompt, VizPromptError } from '@vizprompt/core';

const vizprompt = await VizPrompt.open('./my-project', {
  on: {
    'index:progress': ({ done, total }) => console.log(`${done} of ${total} files read`),
    'problem:found': ({ file, line, message }) => console.log(`${file}:${line}: ${message}`),
  },
});
// #endregion open

// #region import
const report = await vizprompt.importConversations('examples/quickstart/conversations.json');
console.log(report.conversations, report.nodes, report.skipped);
// #endregion import

// #region build
await vizprompt.build(); // with a model, if the project has one; from the text alone, if not
const [node] = await vizprompt.searchNodes({ text: 'a short domain name', tags: ['domain'] });
console.log(node?.summary, node?.tags, node?.snippet?.text);
// #endregion build

// #region graph
const flow = await vizprompt.getFlow('A name for the cat café');
const graph = new FlowGraph(flow);
for (const leaf of graph.leaves()) console.log(graph.lineTo(leaf).length, 'turns');
const [left = '', right = ''] = graph.leaves();
const merge = await vizprompt.createNode(
  { prompt: 'Combine both ideas.' },
  { flow: flow.id, after: [left, right] },
);
// #endregion graph

// #region context
const context = await vizprompt.buildContext({
  flow: flow.id,
  node: right, // the prompt continues from here; default: the head of the flow
  prompt: 'What was the first name?',
  budgetTokens: 4000, // of which the messages never have more
  references: [left], // in full, although it is on the other branch
});
for (const { label, form, reason, tokens } of context.report.entries) {
  console.log(label, form, reason, tokens); // 2 full fits 96
}
console.log(context.messages.length, context.report.tokens, context.report.everything.tokens);
// #endregion context

// #region errors
try {
  await vizprompt.connectNodes(merge.id, left, { flow: flow.id });
} catch (error) {
  if (!VizPromptError.isInstance(error)) throw error;
  console.log(error.code, error.message); // cycle: connecting ... closes a circle: ... → ...
}
// #endregion errors

// #region structure
const { structure } = vizprompt;
const options = { flow: flow.id };
const { removed, kept } = await structure.prune(right, { ...options, dryRun: true });
console.log(`${removed.length} nodes would go, ${kept.length} after them would stay`);
await structure.keepPath(left, options);
await structure.undo(); // the bytes of the file are back, also after a restart
// #endregion structure

// #region merge
const { proposal } = await structure.mergeByContent(left, right, {
  ...options,
  accept: ({ conflicts }) => conflicts.length === 0, // or ask a person, or give another node back
});
for (const { kind, text } of proposal.conflicts) console.log(kind, text);
// #endregion merge

// #region stale
await vizprompt.connectNodes(left, merge.id, { flow: flow.id, branchName: 'favourite' });
try {
  await structure.prune(left, { ...options, ifVersion: flow.version });
} catch (error) {
  if (!VizPromptError.isInstance(error)) throw error;
  console.log(error.code, error.message); // conflict: ... changed since it was read: nodes added: ...
}
// #endregion stale

// #region export
const html = await vizprompt.exportFlow(flow.id, { format: 'html' });
const canvas = await vizprompt.exportFlow(flow.id, { format: 'canvas' });
const messages = await vizprompt.exportFlow(flow.id, { format: 'openai', leaf: left });
// #endregion export
console.log(html.length, canvas.length, messages.length);

// #region check
const { findings } = await vizprompt.check(); // reads every file
for (const { severity, code, file, line, message, repair } of findings) {
  console.log(`${file}:${line}: ${severity} ${code}: ${message}; ${repair.description}`);
}
const { repaired, setAside } = await vizprompt.repair(findings); // all, or those you choose
console.log(repaired.length, 'are repaired,', setAside.length, 'files are in lost+found/ too');
// #endregion check
await vizprompt.close();

// #region init
const { written, mergeDriver } = await VizPrompt.init('./our-project', { git: true });
console.log(written, mergeDriver); // commit what was written
// #endregion init
