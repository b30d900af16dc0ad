import type { ChatWarning } from '../chat/events.ts';
import { REQUEST_FIELDS } from './write-request.ts';

/** Fields without which a request still means the same, or nearly. */
const OPTIONAL = new Set([...Object.keys(REQUEST_FIELDS), 'parallel_tool_calls', 'top_k']);

/** The same thing by another name. */
const RENAMED: Readonly<Record<string, string>> = {
  max_completion_tokens: 'max_tokens',
  max_tokens: 'max_completion_tokens',
};

/** What servers have refused so far, by address and model; it holds as long as the process. */
const refused = new Map<string, Set<string>>();

/** Remembers which fields one model of one server does not take. */
export class DroppedFields {
  readonly #fields: Set<string>;

  constructor(baseURL: string, model: string) {
    const key = `${baseURL} ${model}`;
    this.#fields = refused.get(key) ?? new Set();
    refused.set(key, this.#fields);
  }

  /**
   * Remembers a field that was refused.
   *
   * @returns Whether it is worth another try: the field was sent, and is not needed.
   */
  add(field: string, body: object): boolean {
    const [name = ''] = field.split('.');
    if (!OPTIONAL.has(name) || !(name in body) || this.#fields.has(name)) return false;
    this.#fields.add(name);
    return true;
  }

  /** The request without these fields, and a warning for each that was in it. */
  apply<Body extends object>(
    body: Body,
  ): { readonly body: Body; readonly warnings: ChatWarning[] } {
    const warnings: ChatWarning[] = [];
    const kept: [string, unknown][] = [];
    for (const [name, value] of Object.entries(body)) {
      if (!this.#fields.has(name)) {
        kept.push([name, value]);
        continue;
      }
      const other = RENAMED[name];
      const isRenamed = other !== undefined && !this.#fields.has(other);
      if (isRenamed) kept.push([other, value]);
      else {
        warnings.push({
          field: REQUEST_FIELDS[name] ?? name,
          message: `the server does not take '${name}'; it was left out`,
        });
      }
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only optional fields are left out
    return { body: Object.fromEntries(kept) as Body, warnings };
  }
}
