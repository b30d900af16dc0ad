import { type ChatModel, LLMError, messageOf, type ModelRegistry } from '@vizprompt/providers';
import { assertTrusted, TrustError, type TrustOption } from '@vizprompt/providers/trust';
import { packageUses } from '@vizprompt/providers/trust/internal';
import {
  OBJECT,
  optional,
  type OptionalKind,
  CHAT_MODEL,
} from '@vizprompt/providers/config/internal';
import { checkArgument, checkValues } from '../check-options.ts';
import type { AgentCall } from '../definition/agent-call.ts';
import type { DefinitionSnapshot } from '../definition/definition-snapshot.ts';
import { WorkflowError } from '../errors.ts';

/** A registry, or models by their names. */
export type GivenModels = ModelRegistry | Readonly<Record<string, ChatModel>>;

/** Options of a {@link ModelChooser}. */
interface ModelChoices {
  readonly given: GivenModels | undefined;
  readonly defaultModel: string | undefined;
  /** The file of the definitions, if they are in one. */
  readonly place?: string | undefined;
  /** Consent to packages that definitions name. */
  readonly trust?: TrustOption | undefined;
}

/** Creates models by name, each once. */
export class ModelChooser {
  readonly #given: GivenModels | undefined;
  readonly #default: string | undefined;
  readonly #place: string | undefined;
  readonly #trust: TrustOption | undefined;
  readonly #made = new Map<string, ChatModel>();
  #registry: ModelRegistry | undefined;

  constructor({ given, defaultModel, place, trust }: ModelChoices) {
    this.#given = given;
    this.#default = defaultModel;
    this.#place = place;
    this.#trust = trust;
  }

  /** Names of the models of a call: the one that is asked first, and those that replace it. */
  namesOf(definition: DefinitionSnapshot, call: AgentCall): readonly string[] {
    const first = call.model ?? definition.agent_roles[call.agent_id]?.model ?? this.#default;
    if (first === undefined) {
      throw new WorkflowError(
        'definition-invalid',
        `the agent '${call.agent_id}' has no model: name one in its role or step, or give defaultModel to the engine`,
        { context: { agent: call.agent_id } },
      );
    }
    const { models = {} } = definition.use;
    return [first, ...(call.fallback ?? [])].map((name) => fullName(name, models));
  }

  /**
   * @throws WorkflowError with the code `definition-invalid` for a name that is not known; TrustError with the code
   *   `untrusted` for a package that the user has not consented to.
   */
  async model(name: string): Promise<ChatModel> {
    const known = this.#made.get(name);
    if (known) return known;
    try {
      const model = await this.#make(name);
      this.#made.set(name, model);
      return model;
    } catch (cause) {
      if (TrustError.isInstance(cause)) throw cause;
      throw new WorkflowError('definition-invalid', `the model '${name}': ${messageOf(cause)}`, {
        cause,
        context: { model: name },
      });
    }
  }

  async #make(name: string): Promise<ChatModel> {
    const given = this.#given;
    if (isRegistry(given)) return given.model(name);
    if (given && Object.hasOwn(given, name)) {
      const model = given[name];
      if (model) return model;
    }
    if (given) {
      const names = Object.keys(given).join(', ') || 'none';
      throw new LLMError('not_found', `the engine was given no such model; it has: ${names}`);
    }
    if (!this.#registry) {
      // The adapters of all providers come with it.
      const { createModelRegistry } = await import('@vizprompt/providers/registry');
      this.#registry = createModelRegistry();
    }
    // The default model is named by the program; all others are named by definitions, which may come from elsewhere.
    const uses = name === this.#default ? [] : packageUses({ model: name, source: 'model' });
    if (uses.length > 0) await assertTrusted({ place: this.#place, uses }, this.#trust);
    return this.#registry.model(name);
  }
}

/** A short name may mean another one, which a fork gave a new meaning. */
function fullName(name: string, models: Readonly<Record<string, string>>): string {
  const seen = new Set<string>();
  let full = name;
  while (Object.hasOwn(models, full) && !seen.has(full)) {
    seen.add(full);
    full = models[full] ?? full;
  }
  return full;
}

function isRegistry(given: GivenModels | undefined): given is ModelRegistry {
  return given !== undefined && 'model' in given && typeof given.model === 'function';
}

/** The option `models`. */
export const MODELS: OptionalKind<never> = optional<never>({
  expected: 'a registry, such as createModelRegistry(), or models by their names',
  accepts: (value) => OBJECT.accepts(value) && !CHAT_MODEL.accepts(value),
});

/** Models by their names; a registry has none of its own. */
export function checkModels(models: GivenModels | undefined): void {
  if (models === undefined) return;
  checkArgument("the option 'models'", models, MODELS);
  if (typeof Reflect.get(models, 'model') === 'function') return;
  checkValues('models', models, CHAT_MODEL);
}
