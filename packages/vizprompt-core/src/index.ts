export { VizPrompt } from './vizprompt.ts';
