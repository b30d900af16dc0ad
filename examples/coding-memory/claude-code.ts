import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '@vizprompt/providers';
import type { Scratch } from './scratch.ts';
import { Transcript } from './transcript.ts';

/** The hooks of a settings file, by event. */
type Hooks = Readonly<
  Record<string, { matcher?: string; hooks: { type: 'command'; command: string }[] }[]>
>;

/**
 * Plays the part of Claude Code in a session: says the lines of its script, writes the transcript, and calls the hooks that
 * the settings of the project name, with the input that Claude Code gives them.
 */
export class ClaudeCode {
  /** The context from the hooks when the session began. */
  readonly context: string;
  readonly #scratch: Scratch;
  readonly #transcript: Transcript;

  private constructor(scratch: Scratch, transcript: Transcript, context: string) {
    this.#scratch = scratch;
    this.#transcript = transcript;
    this.context = context;
  }

  static async start(scratch: Scratch): Promise<ClaudeCode> {
    const transcript = await Transcript.begin(scratch);
    const context = await callHooks(scratch, transcript, 'SessionStart', { source: 'startup' });
    return new ClaudeCode(scratch, transcript, context);
  }

  async prompt(prompt: string): Promise<void> {
    await this.#hook('UserPromptSubmit', { prompt });
    await this.#transcript.user(prompt);
  }

  async think(thinking: string): Promise<void> {
    await this.#transcript.assistant({ type: 'thinking', thinking, signature: 'c2lnbmF0dXJl' });
  }

  async answer(text: string): Promise<void> {
    await this.#transcript.assistant({ type: 'text', text });
    await this.#hook('Stop', { stop_hook_active: false, last_assistant_message: text });
  }

  async write(path: string, content: string): Promise<void> {
    const filePath = join(this.#scratch.project, path);
    await this.#tool('Write', { file_path: filePath, content }, async () => {
      await writeFile(filePath, content);
      return { type: 'create', filePath, content, originalFile: null, structuredPatch: [] };
    });
  }

  /** Replaces whole lines. */
  async edit(path: string, oldString: string, newString: string): Promise<void> {
    const filePath = join(this.#scratch.project, path);
    const input = { file_path: filePath, old_string: oldString, new_string: newString };
    await this.#tool('Edit', { ...input, replace_all: false }, async () => {
      const originalFile = await readFile(filePath, 'utf8');
      await writeFile(
        filePath,
        originalFile.replace(oldString, () => newString),
      );
      const patch = patchOf(originalFile, oldString, newString);
      const facts = { userModified: false, replaceAll: false };
      return { filePath, oldString, newString, originalFile, structuredPatch: [patch], ...facts };
    });
  }

  async bash(command: string, stdout: string): Promise<void> {
    await this.#tool('Bash', { command, description: 'Run a command' }, async () => {
      return { stdout, stderr: '', interrupted: false, isImage: false };
    });
  }

  async end(): Promise<void> {
    await this.#hook('SessionEnd', { reason: 'prompt_input_exit' });
  }

  async #tool(name: string, input: JsonObject, work: () => Promise<JsonObject>): Promise<void> {
    const id = `toolu_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
    const call = { tool_name: name, tool_input: input, tool_use_id: id };
    await this.#transcript.assistant({ type: 'tool_use', id, name, input });
    await this.#hook('PreToolUse', call);
    const response = await work();
    await this.#hook('PostToolUse', { ...call, tool_response: response, duration_ms: 12 });
    await this.#transcript.toolResult(id, response);
  }

  #hook(event: string, fields: JsonObject): Promise<string> {
    return callHooks(this.#scratch, this.#transcript, event, fields);
  }
}

/** Runs the commands that the settings name for an event, as Claude Code does: with JSON on standard input. */
async function callHooks(
  scratch: Scratch,
  transcript: Transcript,
  event: string,
  fields: JsonObject,
): Promise<string> {
  const settings = await readFile(join(scratch.project, '.claude', 'settings.json'), 'utf8');
  const { hooks } = JSON.parse(settings) as { hooks: Hooks };
  const tool = typeof fields['tool_name'] === 'string' ? fields['tool_name'] : '';
  const input = {
    session_id: transcript.sessionId,
    transcript_path: transcript.path,
    cwd: scratch.project,
    permission_mode: 'default',
    hook_event_name: event,
    ...fields,
  };
  let output = '';
  for (const { matcher = '*', hooks: commands } of hooks[event] ?? []) {
    if (matcher !== '*' && !new RegExp(`^(?:${matcher})$`).test(tool)) continue;
    for (const { command } of commands) {
      console.log(`${event} ${tool}`.trimEnd());
      output += await scratch.run(command, JSON.stringify(input));
    }
  }
  return output;
}

function patchOf(text: string, oldString: string, newString: string): JsonObject {
  const start = text.slice(0, text.indexOf(oldString)).split('\n').length;
  const before = oldString.split('\n').map((line) => `-${line}`);
  const after = newString.split('\n').map((line) => `+${line}`);
  return {
    oldStart: start,
    oldLines: before.length,
    newStart: start,
    newLines: after.length,
    lines: [...before, ...after],
  };
}
