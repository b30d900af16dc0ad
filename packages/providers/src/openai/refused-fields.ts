import type { ChatWarning } from '../models/events.ts';
import type { ChatRequest } from '../models/request.ts';
import type { OpenAIProfile } from './profiles.ts';

/** How the request changes when the server does not take a field of the wire. */
type Adaptation = (settings: Settings) => Settings;

/** A request, and the profile by which it is written. */
export interface Settings {
  readonly request: ChatRequest;
  readonly profile: OpenAIProfile;
}

const byProfile =
  (change: Partial<OpenAIProfile>): Adaptation =>
  ({ request, profile }) => ({ request, profile: { ...profile, ...change } });

const without =
  (field: 'temperature' | 'topP' | 'stop' | 'seed'): Adaptation =>
  ({ request: { [field]: _, ...request }, profile }) => ({ request, profile });

/** Fields without which a request still means the same, or nearly. */
const ADAPTATIONS: Readonly<
  Record<string, { readonly field: string; readonly adapt: Adaptation }>
> = {
  max_completion_tokens: {
    field: 'maxOutputTokens',
    adapt: byProfile({ tokenLimitField: 'max_tokens' }),
  },
  max_tokens: {
    field: 'maxOutputTokens',
    adapt: byProfile({ tokenLimitField: 'max_completion_tokens' }),
  },
  temperature: { field: 'temperature', adapt: without('temperature') },
  top_p: { field: 'topP', adapt: without('topP') },
  stop: { field: 'stop', adapt: without('stop') },
  seed: { field: 'seed', adapt: without('seed') },
  top_k: { field: 'topK', adapt: byProfile({ topK: false }) },
  tool_choice: { field: 'toolChoice', adapt: byProfile({ toolChoice: false }) },
  reasoning_effort: { field: 'reasoning', adapt: byProfile({ reasoningEffort: 'none' }) },
  reasoning: { field: 'reasoning', adapt: byProfile({ reasoningEffort: 'none' }) },
  stream_options: { field: 'usage', adapt: byProfile({ streamUsage: false }) },
  response_format: { field: 'output', adapt: byProfile({ jsonMode: 'none' }) },
};

/** Sent by another name, nothing is lost. */
const RENAMED = new Set(['max_completion_tokens', 'max_tokens']);

/** What servers have refused so far, by address and model; it holds as long as the process. */
const known = new Map<string, Set<string>>();

/** Remembers which fields one model of one server does not take, and writes requests accordingly. */
export class RefusedFields {
  readonly #known: Set<string>;
  /** Refused in this call: the field, or only its value. */
  readonly #now = new Set<string>();

  constructor(baseURL: string, model: string) {
    const key = `${baseURL} ${model}`;
    this.#known = known.get(key) ?? new Set();
    known.set(key, this.#known);
  }

  /**
   * Takes note of a field that was refused.
   *
   * @param isForGood - The server does not know the field; otherwise it did not like its value.
   * @returns Whether it is worth another try: the field was sent, and is not needed.
   */
  add(field: string, body: object, isForGood: boolean): boolean {
    const [name = ''] = field.split('.');
    if (!Object.hasOwn(ADAPTATIONS, name) || !(name in body)) return false;
    // By neither name the limit would be lost.
    const others = [...RENAMED].filter((other) => other !== name);
    if (RENAMED.has(name) && others.some((other) => this.#has(other))) return false;
    (isForGood ? this.#known : this.#now).add(name);
    return true;
  }

  /** The request and its profile as this server takes them. */
  adapt(settings: Settings): Settings {
    return [...this.#known, ...this.#now].reduce(
      (adapted, name) => ADAPTATIONS[name]?.adapt(adapted) ?? adapted,
      settings,
    );
  }

  /** A warning for each field that would have been sent. */
  warnings(unadapted: object): ChatWarning[] {
    return [...this.#known, ...this.#now]
      .filter((name) => name in unadapted && !RENAMED.has(name))
      .map((name) => ({
        field: ADAPTATIONS[name]?.field ?? name,
        message:
          name === 'response_format'
            ? `the server does not take '${name}'; the model was asked in words`
            : `the server does not take '${name}'; it was left out`,
      }));
  }

  #has(name: string): boolean {
    return this.#known.has(name) || this.#now.has(name);
  }
}
