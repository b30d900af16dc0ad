import { stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline';
import type { Front, Posted } from './front.ts';

/** The terminal as a front: each line is a message, and the end of the input (Ctrl+D) closes it. */
export const terminal: Front = {
  maxLength: Infinity,
  canEdit: false,
  async listen(onMessage) {
    const lines = createInterface({ input: stdin, output: stdout, prompt: '> ' });
    let isOpen = true;
    lines.once('close', () => (isOpen = false));
    lines.prompt();
    for await (const line of lines) {
      const text = line.trim();
      const post = async (answer: string): Promise<Posted> => (console.log(answer), {});
      if (text !== '') await onMessage({ room: 'terminal', from: 'you', text, post });
      // Lines of a pipe can arrive after its end, when the interface can no longer prompt.
      if (isOpen) lines.prompt();
      else stdout.write(lines.getPrompt());
    }
  },
};
