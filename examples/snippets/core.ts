import { FlowGraph, VizPrompt, VizPromptError } from '@vizprompt/core';

// #region open
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
const [node] = await vizprompt.searchNodes({ text: 'JWTとセッションの違い', tags: ['セッション'] });
console.log(node?.summary, node?.tags, node?.snippet?.text);
// #endregion build

// #region graph
const flow = await vizprompt.getFlow('猫カフェの予約サイト');
const graph = new FlowGraph(flow);
for (const leaf of graph.leaves()) console.log(graph.lineTo(leaf).length, 'turns');
const [left = '', right = ''] = graph.leaves();
const merge = await vizprompt.createNode(
  { prompt: '二つの案をまとめてください。' },
  { flow: flow.id, after: [left, right] },
);
// #endregion graph

// #region errors
try {
  await vizprompt.connectNodes(merge.id, left, { flow: flow.id });
} catch (error) {
  if (!VizPromptError.isInstance(error)) throw error;
  console.log(error.code, error.message); // cycle: connecting ... closes a circle: ... → ...
}
// #endregion errors

// #region export
const html = await vizprompt.exportFlow(flow.id, { format: 'html' });
const mermaid = await vizprompt.exportFlow(flow.id, { format: 'mermaid' });
// #endregion export
console.log(html.length, mermaid.length);

// #region check
const { findings } = await vizprompt.check(); // reads every file
for (const { severity, code, file, line, message, repair } of findings) {
  console.log(`${file}:${line ?? 1}: ${severity} ${code}: ${message}; ${repair.description}`);
}
const { repaired, setAside } = await vizprompt.repair(findings); // all, or those you choose
console.log(repaired.length, 'are repaired,', setAside.length, 'files are in lost+found/ too');
// #endregion check
await vizprompt.close();

// #region init
const { written, mergeDriver } = await VizPrompt.init('./our-project', { git: true });
console.log(written, mergeDriver); // commit what was written
// #endregion init
