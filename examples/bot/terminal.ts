import { stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline';
import type { Front, Posted } from './front.ts';

/** The terminal as a front: a line is a message, and the end of the input (Ctrl+D) the end. */
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
      // Lines of a pipe come behind its end, too, where nothing can be prompted.
      if (isOpen) lines.prompt();
      else stdout.write(lines.getPrompt());
    }
  },
};
