// Imports a file into a new project, in a process of its own; prints what it measured as JSON.
const [, , file, folder] = process.argv;
globalThis.gc();
const idle = process.memoryUsage().rss / 1e6;
const { VizPrompt } = await import('@vizprompt/core');
const vizprompt = await VizPrompt.open(folder);
const start = performance.now();
const { nodes, skipped } = await vizprompt.importConversations(file);
const ms = performance.now() - start;
await vizprompt.close();
if (skipped.length > 0) throw new Error(`skipped: ${skipped[0].reason}`);
console.log(
  JSON.stringify({ ms, idle, peak: process.resourceUsage().maxRSS / 1000, nodes: nodes.total }),
);
