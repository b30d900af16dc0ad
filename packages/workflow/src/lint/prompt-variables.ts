import type { Template, VariableLocation } from 'liquidjs';
import { WorkflowError } from '../errors.ts';
import { liquidEngine, parsePrompt } from '../language/template.ts';

/** A variable that a prompt asks for. */
export interface PromptVariable {
  readonly name: string;
  /** What it is asked for, as far as that is certain: `['scores', '0']` of `{{ review.scores[0][key] }}`. */
  readonly fields: readonly string[];
  /** Where it stands, in UTF-16 code units. */
  readonly within: number;
  /** Whether it is asked for in any case, and not only where a tag such as `if` leads. */
  readonly isAlways: boolean;
}

/** What lists and texts have in Liquid besides. */
const OF_LIQUID: ReadonlySet<string> = new Set(['size', 'first', 'last', 'length']);

const known = new WeakMap<readonly Template[], readonly PromptVariable[]>();

/** The variables that a prompt needs, but for those that it makes itself; `undefined` where it cannot be parsed. */
export function promptVariables(template: string): readonly PromptVariable[] | undefined {
  let parsed: Template[];
  try {
    parsed = parsePrompt(template);
  } catch (error) {
    if (WorkflowError.isInstance(error)) return undefined;
    throw error;
  }
  const variables = known.get(parsed) ?? analyzed(template, parsed);
  known.set(parsed, variables);
  return variables;
}

function analyzed(template: string, parsed: Template[]): readonly PromptVariable[] {
  const liquid = liquidEngine();
  const { globals } = liquid.analyzeSync(parsed, { partials: false });
  const offsetOf = offsetsIn(template);
  // What has no children is within no tag, and is none that leads anywhere.
  const outside = liquid.analyzeSync(parsed.filter(({ children }) => !children));
  const always = new Set(
    Object.values(outside.variables).flatMap((uses) =>
      uses.map(({ location }) => offsetOf(location)),
    ),
  );
  return Object.entries(globals).flatMap(([name, uses]) =>
    uses.map(({ segments, location }) => {
      const within = offsetOf(location);
      const fields = plainFields(segments.slice(1));
      return { name, fields, within, isAlways: always.has(within) };
    }),
  );
}

function offsetsIn(template: string): (location: VariableLocation) => number {
  const starts: number[] = [];
  let start = 0;
  for (const line of template.split('\n')) {
    starts.push(start);
    start += line.length + 1;
  }
  return ({ row, col }) => (starts[row - 1] ?? 0) + col - 1;
}

function plainFields(segments: readonly unknown[]): readonly string[] {
  const fields: string[] = [];
  for (const segment of segments) {
    const field = typeof segment === 'number' || typeof segment === 'string' ? `${segment}` : '';
    if (field === '' || OF_LIQUID.has(field) || /\.|^-/.test(field)) break;
    fields.push(field);
  }
  return fields;
}
