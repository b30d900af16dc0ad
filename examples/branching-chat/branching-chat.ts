import { writeFile } from 'node:fs/promises';
import type { ChatOptions, VizPrompt } from '@vizprompt/core';
import { showTurn } from './show-turn.ts';

const HELP = `/retry                 asks the same again: a branch next to the last answer
/edit TEXT             asks something else in its place
/branch NUMBER [NAME]  the next message continues from that node
/continue              continues an answer that was cut off
/tree                  shows the branches, with their numbers
/search WORDS          searches all that was said, on every branch
/html FILE             writes a page with the graph
/exit                  ends the chat
`;

/** The commands of the chat, which is one flow of a project. */
export class BranchingChat {
  readonly #vizprompt: VizPrompt;
  readonly #flow: string;
  /** Where the next message continues from, if not from the last one. */
  #place: Pick<ChatOptions, 'from' | 'branchName'> = {};

  constructor(vizprompt: VizPrompt, flow: string) {
    this.#vizprompt = vizprompt;
    this.#flow = flow;
  }

  async obey(line: string, signal: AbortSignal): Promise<void> {
    const vizprompt = this.#vizprompt;
    const [, command = '', rest = ''] = /^(?:\/(\w+))?\s*(.*)$/s.exec(line) ?? [];
    switch (command) {
      case '':
        if (rest !== '') await this.#say(rest, signal);
        break;
      case 'retry':
        await showTurn(vizprompt.retry(await this.#last(), { signal }));
        break;
      case 'edit':
        await showTurn(vizprompt.edit(await this.#last(), rest, { signal }));
        break;
      case 'continue':
        await showTurn(vizprompt.continue(await this.#last(), { signal }));
        break;
      case 'branch':
        await this.#branch(rest);
        break;
      case 'tree':
        process.stdout.write(await vizprompt.toText(this.#flow));
        break;
      case 'search':
        await this.#search(rest);
        break;
      case 'html':
        await writeFile(rest, await vizprompt.exportFlow(this.#flow, { format: 'html' }));
        break;
      default:
        process.stdout.write(HELP);
    }
  }

  async #say(prompt: string, signal: AbortSignal): Promise<void> {
    const place = this.#place;
    this.#place = {};
    await showTurn(this.#vizprompt.chat({ prompt, flow: this.#flow, ...place, signal }));
  }

  /** The number is that of /tree. */
  async #branch(words: string): Promise<void> {
    const [number = '', branchName = ''] = words.split(/\s+(.*)/s);
    const { nodes } = await this.#vizprompt.getFlow(this.#flow);
    const node = nodes.find(({ index }) => String(index) === number);
    if (!node) throw new Error(`there is no node '${number}': /tree shows the numbers`);
    this.#place = { from: node.id, ...(branchName === '' ? {} : { branchName }) };
    console.log(`The next message continues from node ${number}.`);
  }

  async #search(text: string): Promise<void> {
    const { nodes } = await this.#vizprompt.getFlow(this.#flow);
    for (const { id, snippet } of await this.#vizprompt.searchNodes({ text, limit: 5 })) {
      const number = nodes.find((node) => node.id === id)?.index ?? '-';
      console.log(`${number}: ${snippet?.text.replaceAll(/\s+/g, ' ') ?? ''}`);
    }
  }

  async #last(): Promise<string> {
    const { head } = await this.#vizprompt.getFlow(this.#flow);
    if (head === undefined) throw new Error('nothing was said yet');
    return head;
  }
}
