import { nearestName } from '@vizprompt/providers/config';
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** The arguments of a tool, by their names. */
type Shape = Readonly<Record<string, z.ZodType>>;
type Arguments<Given extends Shape> = z.ZodObject<Given, z.core.$strict>;

/**
 * The schema of a tool's arguments; it takes no others. What is wrong with them is told so that a model
 * can do better by itself: which one, what it is for, which ones there are.
 */
export function toolInput<const Given extends Shape>(
  shape: Given,
): StandardSchemaWithJSON<z.input<Arguments<Given>>, z.output<Arguments<Given>>> {
  const schema: Arguments<Given> = z.strictObject(shape);
  return {
    '~standard': {
      ...schema['~standard'],
      validate(value) {
        const result = schema.safeParse(value);
        if (result.success) return { value: result.data };
        const issues = result.error.issues.flatMap((issue) => adviceFor(issue, value, shape));
        const known = Object.keys(shape).join(', ');
        return { issues: [...issues, { message: `the arguments of this tool are ${known}` }] };
      },
    },
  };
}

function adviceFor(
  issue: z.core.$ZodIssue,
  value: unknown,
  shape: Shape,
): readonly { readonly message: string; readonly path?: PropertyKey[] }[] {
  const { path, message } = issue;
  const [first] = path;
  if (first === undefined && issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const nearest = nearestName(key, Object.keys(shape));
      const way = nearest === undefined ? 'leave it out' : `is '${nearest}' meant?`;
      return { message: `there is no argument '${key}': ${way}` };
    });
  }
  const name = String(first ?? '');
  const isMissing = first !== undefined && !(Object(value) === value && name in Object(value));
  const wrong = isMissing ? 'it is missing' : message.replace('Invalid input: ', '');
  const about = shape[name]?.description;
  return [{ path, message: about === undefined ? wrong : `${wrong} (${about})` }];
}
