import type { JsonObject, JsonValue } from '@vizprompt/providers';
import type { TeamStep } from '../definition/step.ts';
import { teamRules } from '../definition/team.ts';
import {
  type ExecutionContext,
  forkAt,
  namedInputs,
  ownVariables,
  type Place,
  usedUp,
} from './execution-context.ts';
import { callAgent } from './step-work.ts';
import { readTurn, TeamTools } from './team-tools.ts';

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
