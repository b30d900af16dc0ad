import { allSteps } from '../definition/walk-steps.ts';
import type { WorkflowDefinition } from '../definition/workflow-file.ts';
import { unknownName, type Finding } from '../problems/finding.ts';
import { missingField } from './schema-path.ts';
import { variableTypes, type ValueType } from './value-type.ts';

/** A finding that has yet to be placed; `within` is the place in the path. */
export type Missing = Omit<Finding, 'source' | 'path' | 'within'> & { readonly within: number };

/** Tells what dotted paths ask variables for and these do not have, by their schemas or the steps there are. */
export class ValueCheck {
  readonly #types: ReadonlyMap<string, ValueType>;
  /** What `errors` may hold; absent where an id looks like a path. */
  readonly #ids: readonly string[] | undefined;

  constructor(workflow: WorkflowDefinition) {
    this.#types = variableTypes(workflow);
    const ids = Array.from(allSteps(workflow.steps), ({ step }) => step.id);
    this.#ids = ids.some((id) => id.includes('.')) ? undefined : ids;
  }

  missing(dotted: string): Missing | undefined {
    const [name = '', first] = dotted.split('.');
    if (name === 'errors') {
      if (first === undefined || this.#ids === undefined || this.#ids.includes(first))
        return undefined;
      return { code: 'unknown-step', within: name.length + 1, ...unknownName(first, this.#ids) };
    }
    const type = this.#types.get(name);
    const field = type && missingField(dotted, type);
    if (!field) return undefined;
    const { parent, known, within } = field;
    const words = { parent, name: field.name };
    if (known.length === 0) return { code: 'field-of-value', within, words };
    return { code: 'unknown-field', within, ...unknownName(field.name, known), words };
  }
}
