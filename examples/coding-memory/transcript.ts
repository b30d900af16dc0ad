import { randomUUID } from 'node:crypto';
import { appendFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { JsonObject, JsonValue } from '@vizprompt/providers';
import type { Scratch } from './scratch.ts';

/** The log that Claude Code writes of a session: a line of JSON for each block. */
export class Transcript {
  readonly sessionId: string = randomUUID();
  readonly path: string;
  readonly #cwd: string;
  #last: string | null = null;

  private constructor({ project, home }: Scratch) {
    const folder = project.replaceAll(/[^A-Za-z0-9]/g, '-');
    this.path = join(home, '.claude', 'projects', folder, `${this.sessionId}.jsonl`);
    this.#cwd = project;
  }

  static async begin(scratch: Scratch): Promise<Transcript> {
    const transcript = new Transcript(scratch);
    await mkdir(dirname(transcript.path), { recursive: true });
    return transcript;
  }

  async user(content: string): Promise<void> {
    await this.#line('user', { role: 'user', content });
  }

  /** A block of an answer: text, a thought or a call. */
  async assistant(block: JsonObject): Promise<void> {
    const message = { id: `msg_${randomUUID()}`, type: 'message', role: 'assistant' };
    await this.#line('assistant', { ...message, model: 'claude-sonnet-4-5', content: [block] });
  }

  async toolResult(id: string, response: JsonValue): Promise<void> {
    const block = { type: 'tool_result', tool_use_id: id, content: 'ok', is_error: false };
    await this.#line('user', { role: 'user', content: [block] }, { toolUseResult: response });
  }

  async #line(type: string, message: JsonObject, more: JsonObject = {}): Promise<void> {
    const uuid = randomUUID();
    const line = {
      parentUuid: this.#last,
      isSidechain: false,
      userType: 'external',
      cwd: this.#cwd,
      sessionId: this.sessionId,
      version: '2.0.76',
      gitBranch: '',
      type,
      message,
      uuid,
      timestamp: new Date().toISOString(),
      ...more,
    };
    this.#last = uuid;
    await appendFile(this.path, `${JSON.stringify(line)}\n`);
  }
}
