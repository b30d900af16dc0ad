import type { JsonObject, JsonValue, Tool } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import type { StepTools } from './agent-tools.ts';
import type { OfferedTool } from './offer-tools.ts';

/** A member that another one may hand over to. */
interface Colleague {
  readonly name: string;
  readonly description?: string | undefined;
}

/** Result of a turn, as the journal has it. */
export interface TurnResult {
  /** The words of the member: its answer, or its message to the member that it handed over to. */
  readonly says: JsonValue;
  /** The member that it handed over to. */
  readonly to?: string;
  /** Notes that it wrote; `null` for those that it removed. */
  readonly notes?: JsonObject;
}

const HAND_OVER = 'hand_over';
const NOTE = 'note';

/** The tools that members of a team have: hand over, and write notes. */
export class TeamTools implements StepTools {
  readonly offered: readonly OfferedTool[];
  readonly #notes = new Map<string, JsonValue>();
  #handOver: { readonly to: string; readonly message: string } | undefined;

  constructor(colleagues: readonly Colleague[]) {
    const names = colleagues.map(({ name }) => name);
    this.offered = [
      ...(names.length > 0
        ? [offered(handOver(colleagues), (input) => readHandOver(input, names).message)]
        : []),
      offered(NOTE_TOOL, (input) => readNote(input).key),
    ];
  }

  receive(tool: string, input: JsonValue): boolean {
    if (tool === NOTE) {
      const { key, text } = readNote(input);
      this.#notes.set(key, text === '' ? null : text);
    }
    if (tool === HAND_OVER) this.#handOver ??= readHandOver(input);
    return this.#handOver !== undefined;
  }

  output(answer: JsonValue): JsonObject {
    const notes = this.#notes.size === 0 ? {} : { notes: Object.fromEntries(this.#notes) };
    if (!this.#handOver) return { says: answer, ...notes };
    const { to, message } = this.#handOver;
    const texts = [typeof answer === 'string' ? answer.trim() : '', message.trim()];
    return { says: texts.filter((text) => text !== '').join('\n\n'), to, ...notes };
  }
}

/** Returns the result of a turn; of what a fork gave instead, it is what was said. */
export function readTurn(output: JsonValue): TurnResult {
  if (!isJsonObject(output) || output['says'] === undefined) return { says: output };
  const { says, to, notes } = output;
  return {
    says,
    ...(typeof to === 'string' ? { to } : {}),
    ...(isJsonObject(notes) ? { notes } : {}),
  };
}

function offered(described: Tool, run: (input: unknown) => string): OfferedTool {
  return {
    described,
    rules: { tool: described.name },
    timeout: undefined,
    run: async (input) => {
      run(input);
      return 'done';
    },
  };
}

function handOver(colleagues: readonly Colleague[]): Tool {
  const lines = colleagues.map(({ name, description }) =>
    description === undefined ? `- ${name}` : `- ${name}: ${description}`,
  );
  return {
    name: HAND_OVER,
    description: `Hands the work over to another member of the team and ends your turn. Answer without this tool only when the work is done. Members:\n${lines.join('\n')}`,
    parameters: {
      type: 'object',
      properties: {
        to: { type: 'string', enum: colleagues.map(({ name }) => name) },
        message: { type: 'string', description: 'Your work so far, and the task for the member' },
      },
      required: ['to', 'message'],
    },
  };
}

const NOTE_TOOL: Tool = {
  name: NOTE,
  description: 'Writes a note that all members of the team read; an empty text removes it',
  parameters: {
    type: 'object',
    properties: {
      key: { type: 'string', description: 'The topic of the note' },
      text: { type: 'string' },
    },
    required: ['key', 'text'],
  },
};

/** @throws TypeError for invalid input; the model receives the message and can try again. */
function readHandOver(
  input: unknown,
  names?: readonly string[],
): { readonly to: string; readonly message: string } {
  const { to, message = '' }: { to?: unknown; message?: unknown } = Object(input);
  if (typeof to !== 'string' || (names && !names.includes(to))) {
    throw new TypeError(`wrong input: 'to' must be one of: ${names?.join(', ')}`);
  }
  if (typeof message !== 'string') throw new TypeError("wrong input: 'message' must be a text");
  return { to, message };
}

/** @throws TypeError for invalid input; the model receives the message and can try again. */
function readNote(input: unknown): { readonly key: string; readonly text: string } {
  const { key, text }: { key?: unknown; text?: unknown } = Object(input);
  if (typeof key === 'string' && typeof text === 'string') return { key, text };
  throw new TypeError("wrong input: 'key' and 'text' must be texts");
}
