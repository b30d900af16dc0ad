import type { JsonObject, JsonValue, Tool } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import type { TeamStep } from '../definition/step.ts';
import { teamRules } from '../definition/team.ts';
import type { OfferedTool, StepTools } from './agent-tools.ts';
import {
  type ExecutionContext,
  forkAt,
  namedInputs,
  ownVariables,
  type Place,
  usedUp,
} from './execution-context.ts';
import { callAgent } from './step-work.ts';

/**
 * Lets the members of a team take turns until one of them answers instead of handing over. Each turn is in the journal
 * with what was said, who is next and the notes, so that a resume repeats none.
 *
 * @throws WorkflowError with the code `exhausted`, or what a member throws.
 */
export async function runTeam(
  context: ExecutionContext,
  step: TeamStep,
  place: Place,
): Promise<JsonValue> {
  const { services, variables } = context;
  const { start, maxTurns, routes } = teamRules(step);
  const roles = services.definition.agent_roles;
  const colleagues = Object.entries(step.members).map(([name, { agent_id: id }]) => {
    const description = Object.hasOwn(roles, id) ? roles[id]?.description : undefined;
    return { name, ...(description === undefined ? {} : { description }) };
  });
  const turns: JsonObject[] = [];
  const notes = new Map<string, JsonValue>();
  for (const { output_variable: own } of Object.values(step.members)) {
    if (own !== undefined) variables[own] = null;
  }
  let name = start;
  let says: JsonValue = null;
  for (let number = 1; number <= maxTurns; number++) {
    const call = step.members[name];
    if (!call) throw new TypeError(`the team '${step.id}' has no member '${name}'`);
    const below = `/${number}/${name}`;
    const own: Place = { ...place, name: place.name + below, path: place.path + below };
    const turn = services.counter.begin(own.path);
    if (turn) await turn;
    const others = routes.get(name) ?? [];
    const team = {
      member: name,
      members: colleagues,
      turns: [...turns],
      notes: Object.fromEntries(notes),
      turn: number,
      maxTurns,
    };
    const there = ownVariables({ ...variables, ...forkAt(context, own.path)?.variables, team });
    const output = await callAgent(context, own, {
      call,
      inputs: { team, ...namedInputs(call.input_variables, there) },
      own: new TeamTools(colleagues.filter((one) => others.includes(one.name))),
    });
    const done = readTurn(output);
    says = done.says;
    for (const [key, note] of Object.entries(done.notes ?? {})) {
      if (note === null) notes.delete(key);
      else notes.set(key, note);
    }
    if (step.notes_variable !== undefined) {
      variables[step.notes_variable] = Object.fromEntries(notes);
    }
    if (call.output_variable !== undefined) variables[call.output_variable] = says;
    const isLed = step.supervisor !== undefined && name !== step.supervisor;
    const next = done.to ?? (isLed ? step.supervisor : undefined);
    turns.push({ turn: number, member: name, says, ...(next === undefined ? {} : { to: next }) });
    if (next === undefined) return says;
    services.tell('step:handed-over', {
      path: own.path,
      stepId: step.id,
      from: name,
      to: next,
      message: says,
    });
    name = next;
  }
  usedUp(context, place, {
    stepId: step.id,
    rounds: maxTurns,
    message: `the team '${place.path}' used up its ${maxTurns} turns without an answer: raise maxTurns, or write into the prompts of its members when the work is done`,
    onExhausted: step.onExhausted ?? 'fail',
  });
  return says;
}

/** A member that another one may hand over to. */
interface Colleague {
  readonly name: string;
  readonly description?: string | undefined;
}

/** Result of a turn, as the journal has it. */
interface TurnResult {
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
class TeamTools implements StepTools {
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
function readTurn(output: JsonValue): TurnResult {
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
