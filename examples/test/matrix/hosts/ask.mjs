import { VizPrompt } from '@vizprompt/core';
import { scriptedModel } from '@vizprompt/providers/testing';

// Opened once per process, by the first request. After a failure, the next request tries again.
let opening;
function project() {
  opening ??= VizPrompt.open(process.env.DATA_FOLDER ?? './data', {
    model: scriptedModel(({ messages }) => `You said: ${messages.at(-1).parts[0].text}`), // openai({ model: 'gpt-5-mini' })
  }).catch((error) => {
    opening = undefined;
    throw error;
  });
  return opening;
}

/** Returns the answer once it is on disk. The signal of a client that disconnected cancels the call of the model. */
export async function ask(prompt, signal) {
  const node = await (await project()).chat({ prompt, signal }).node();
  return { answer: node.response, process: process.pid };
}

/** Lets go of the locks; the host calls it after the last request. */
export async function close() {
  await (await opening)?.close();
}
