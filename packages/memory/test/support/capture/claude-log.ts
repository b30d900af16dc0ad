import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '@vizprompt/providers';

/** Writes a log as Claude Code does: a line for each block, with ids that follow from a seed. */
export class ClaudeLog {
  readonly lines: string[] = [];
  readonly session: string;
  readonly cwd: string;
  #last: string | null = null;
  #count = 0;
  #time = Date.parse('2026-03-01T09:00:00.000Z');

  constructor(seed: string, cwd = '/home/ann/shop') {
    this.session = this.#uuid(`session ${seed}`);
    this.cwd = cwd;
  }

  /** Returns a line of any form. */
  raw(line: JsonObject): this {
    this.lines.push(JSON.stringify(line));
    return this;
  }

  user(content: JsonValue, more: JsonObject = {}): this {
    return this.#message('user', { role: 'user', content }, more);
  }

  text(text: string, more: JsonObject = {}): this {
    return this.assistant({ type: 'text', text }, more);
  }

  thinking(thinking: string): this {
    return this.assistant({ type: 'thinking', thinking, signature: 'c2ln' });
  }

  /** Returns a block of an answer; `message` and `usage` are those of the line. */
  assistant(block: JsonObject, more: JsonObject = {}, usage: JsonObject = {}): this {
    const message = {
      id: `msg_${this.#count}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [block],
      usage,
    };
    return this.#message('assistant', message, { requestId: 'req_1', ...more });
  }

  call(id: string, name: string, input: JsonObject, more: JsonObject = {}): this {
    return this.assistant({ type: 'tool_use', id, name, input }, more);
  }

  result(id: string, toolUseResult: JsonValue, content: JsonValue = 'ok', isError = false): this {
    const block = { type: 'tool_result', tool_use_id: id, content, is_error: isError };
    return this.user([block], { toolUseResult });
  }

  /** Puts the clock back or forth, in milliseconds. */
  wait(ms: number): this {
    this.#time += ms;
    return this;
  }

  toString(): string {
    return `${this.lines.join('\n')}\n`;
  }

  #message(type: string, message: JsonObject, more: JsonObject): this {
    this.#count += 1;
    const uuid = this.#uuid(`${this.session} ${this.#count}`);
    const line = {
      parentUuid: this.#last,
      isSidechain: false,
      userType: 'external',
      cwd: this.cwd,
      sessionId: this.session,
      version: '2.0.69',
      gitBranch: 'main',
      type,
      message,
      uuid,
      timestamp: new Date(this.#time).toISOString(),
      ...more,
    };
    this.#time += 1000;
    this.#last = uuid;
    return this.raw(line);
  }

  #uuid(name: string): string {
    const hex = createHash('sha256').update(name).digest('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  }
}
