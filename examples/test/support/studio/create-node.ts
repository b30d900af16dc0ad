// Another process that works on the same project: PROJECT PROMPT
import { VizPrompt } from '@vizprompt/core';

const [project = '', prompt = ''] = process.argv.slice(2);
await using vizprompt = await VizPrompt.open(project);
await vizprompt.createNode({ prompt });
