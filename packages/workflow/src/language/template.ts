import { exportsOf, LruMap } from '@vizprompt/providers/internal';
import { type JsonObject, messageOf } from '@vizprompt/providers';
import type { Liquid, LiquidError, Template } from 'liquidjs';
import { WorkflowError } from '../errors.ts';

/** Filters of texts, which would see `[object Object]` in place of an object. */
const TEXT_FILTERS =
  'append prepend upcase downcase capitalize strip lstrip rstrip squish split replace replace_first replace_last remove remove_first remove_last truncate truncatewords escape escape_once strip_newlines newline_to_br strip_html url_encode normalize_whitespace number_of_words base64_encode'.split(
    ' ',
  );

/** Limits of a rendering: one that needs more is a mistake, or an attack by way of an answer. */
const LIMITS = {
  /** Characters of a template. */
  parseLimit: 20_000_000,
  /** Milliseconds of loops. */
  renderLimit: 2000,
  /** Characters and items that filters and ranges make: values of 10 MB go through several filters. */
  memoryLimit: 50_000_000,
};

/** Parsed templates that are kept. */
const KEPT = 1024;
const parsed = new LruMap<string, Template[]>(KEPT);

let engine: Liquid | undefined;

/** Loads Liquid; prompts can be rendered from then on. */
export async function preparePrompts(): Promise<void> {
  if (engine) return;
  const { Liquid, Tag } = exportsOf(await import('liquidjs'));
  class Refused extends Tag {
    constructor(...given: ConstructorParameters<typeof Tag>) {
      super(...given);
      throw new Error(`'${given[0].name}' is not there: a prompt cannot use it`);
    }
    override *render(): Generator<unknown, void, unknown> {}
  }
  const liquid = new Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    templates: {},
    outputEscape: toPromptText,
    ...LIMITS,
  });
  for (const name of ['include', 'render', 'layout', 'block']) liquid.registerTag(name, Refused);
  for (const name of TEXT_FILTERS) {
    const filter = liquid.filters[name];
    if (typeof filter !== 'function') continue;
    liquid.registerFilter(name, function (value: unknown, ...given: unknown[]): unknown {
      return filter.call(this, objectToText(value), ...given.map(objectToText));
    });
  }
  liquid.registerFilter('join', (list: unknown, separator: unknown = ' ') =>
    Array.isArray(list) ? list.map(toPromptText).join(String(separator)) : toPromptText(list),
  );
  engine = liquid;
}

/**
 * Renders a prompt, a Liquid template in strict mode. Objects and lists become JSON; values are text, whatever
 * they hold, and never templates.
 *
 * @throws WorkflowError with the code `template-failed` and line and column in `context`.
 */
export function renderPrompt(template: string, values: JsonObject): string {
  const templates = parsePrompt(template);
  try {
    return String(liquidEngine().renderSync(templates, values));
  } catch (error) {
    throw templateFailure(template, error);
  }
}

/** Parses a prompt, once. */
export function parsePrompt(template: string): Template[] {
  const known = parsed.get(template);
  if (known) return known;
  let templates: Template[];
  try {
    templates = liquidEngine().parse(template);
  } catch (error) {
    throw templateFailure(template, error);
  }
  parsed.set(template, templates);
  return templates;
}

/** Returns the engine, once it is loaded. */
export function liquidEngine(): Liquid {
  if (!engine) throw new Error('Liquid is not loaded: call preparePrompts() first');
  return engine;
}

function templateFailure(template: string, error: unknown): WorkflowError {
  const offset = offsetOf(template, error);
  const before = template.slice(0, offset).split('\n');
  const [line, column] = [before.length, (before.at(-1)?.length ?? 0) + 1];
  const [problem = ''] = messageOf(error).split(/, line:\d+, col:\d+|\n/);
  return new WorkflowError(
    'template-failed',
    `the prompt failed at ${line}:${column}: ${problem}`,
    {
      cause: error,
      context: { line, column, offset, problem },
    },
  );
}

/** Where the error lies; a filter lies somewhere after the place that Liquid gives. */
function offsetOf(template: string, error: unknown): number {
  const { token }: Partial<LiquidError> = Object(error);
  if (!token) return 0;
  const [, filter] = /undefined filter: (\S+?)(?:,|$)/.exec(messageOf(error)) ?? [];
  if (filter === undefined) return token.begin;
  const piped = [...template.slice(token.begin, token.end).matchAll(/\|\s*([^\s:|}]+)/g)];
  const found = piped.find(([, name]) => name === filter);
  return token.begin + (found ? found.index + found[0].length - filter.length : 0);
}

/** Returns a value as a prompt shows it: texts as they are, nothing for `null`, and JSON of objects and lists. */
export function toPromptText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** Objects and lists as JSON, anything else as it is. */
function objectToText(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
