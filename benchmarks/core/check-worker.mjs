// Checks a project, in a process of its own; prints what it measured as JSON.
import { VizPrompt } from '@vizprompt/core';

const vizprompt = await VizPrompt.open(process.argv[2]);
const start = performance.now();
const { findings } = await vizprompt.check();
const ms = performance.now() - start;
const wrong = findings.filter(({ severity }) => severity !== 'info');
await vizprompt.close();
const peak = process.resourceUsage().maxRSS / 1000;
console.log(JSON.stringify({ ms, peak, findings: wrong.length }));
