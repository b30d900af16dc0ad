import { VizPromptError, type VizPrompt } from '@vizprompt/core';
import type { Turn } from '@vizprompt/providers';
import { scriptedModel } from '@vizprompt/providers/testing';
import { branched, type ChatGptConversation } from '../fixtures/chatgpt.ts';

/** The words that come while others edit: a node, a chat, a turn of a recorder, a conversation that grows. */
export class Talk {
  readonly #vizprompt: VizPrompt;
  readonly #imported: ChatGptConversation = branched();
  #count = 0;

  constructor(vizprompt: VizPrompt) {
    this.#vizprompt = vizprompt;
  }

  async add(kind: number, pick: number): Promise<void> {
    const vizprompt = this.#vizprompt;
    const flows = await vizprompt.listFlows();
    const flow = flows[pick % flows.length]?.id ?? '';
    const { nodes } = await vizprompt.getFlow(flow);
    const after = nodes[pick % Math.max(1, nodes.length)]?.id ?? null;
    const prompt = `その後 ${this.#count++} 🐾`;
    const ways: readonly (() => Promise<unknown>)[] = [
      () => vizprompt.createNode({ prompt }, { flow, after }),
      () => vizprompt.createNode({ prompt }, { flow }),
      () => vizprompt.chat({ flow, prompt, model: scriptedModel(['はい。']) }).node(),
      () => this.#record(pick),
      () => this.#import(pick),
    ];
    await ways[kind % ways.length]?.();
  }

  async #record(pick: number): Promise<void> {
    const id = String(this.#count);
    const turn: Turn = {
      id,
      conversationId: '討論',
      kind: 'turn',
      status: 'done',
      speaker: 'A',
      startedAt: '2026-01-31T12:00:00+09:00',
      follows: pick % 2 === 0 || this.#count < 2 ? [] : [String(this.#count - 1)],
      input: [{ type: 'text', text: `問い ${id}` }],
      output: [{ type: 'text', text: '答え' }],
    };
    await this.#vizprompt
      .recorder()
      .record(turn)
      .catch((error: unknown) => {
        // The node it follows was removed from the flow, or was never recorded.
        if (!VizPromptError.isInstance(error) || error.code !== 'node-not-found') throw error;
      });
  }

  async #import(pick: number): Promise<void> {
    const known = Object.keys(this.#imported.mapping).filter((id) => id.startsWith('a'));
    const asked = this.#imported.add(
      `q+${this.#count}`,
      known[pick % known.length] ?? 'root',
      'user',
      '続き',
    );
    this.#imported.add(`a+${this.#count}`, asked, 'assistant', 'はい');
    await this.#vizprompt.importConversations([this.#imported.export()]);
  }
}
