import { LLMError, messageOf, type ChatModel, type ModelRegistry } from '@vizprompt/providers';
import type { AgentCall } from '../definition/agent-call.ts';
import type { PinnedDefinition } from '../definition/pinned-definition.ts';
import { WorkflowError } from '../errors.ts';

/** Models by name, made once. */
export class ModelChooser {
  readonly #given: ModelRegistry | Readonly<Record<string, ChatModel>> | undefined;
  readonly #default: string | undefined;
  readonly #made = new Map<string, ChatModel>();
  #registry: ModelRegistry | undefined;

  constructor(
    given: ModelRegistry | Readonly<Record<string, ChatModel>> | undefined,
    defaultModel: string | undefined,
  ) {
    this.#given = given;
    this.#default = defaultModel;
  }

  /** Names of the models of a call: the one that is asked first, and those that stand in for it. */
  namesOf(definition: PinnedDefinition, call: AgentCall): readonly string[] {
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

  /** @throws WorkflowError with the code `definition-invalid` for a name that is not known. */
  async model(name: string): Promise<ChatModel> {
    const known = this.#made.get(name);
    if (known) return known;
    try {
      const model = await this.#make(name);
      this.#made.set(name, model);
      return model;
    } catch (cause) {
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
    return this.#registry.model(name);
  }
}

/** A short name may stand for another one, which a fork gave a new meaning. */
function fullName(name: string, models: Readonly<Record<string, string>>): string {
  const seen = new Set<string>();
  let full = name;
  while (Object.hasOwn(models, full) && !seen.has(full)) {
    seen.add(full);
    full = models[full] ?? full;
  }
  return full;
}

function isRegistry(
  given: ModelRegistry | Readonly<Record<string, ChatModel>> | undefined,
): given is ModelRegistry {
  return given !== undefined && 'model' in given && typeof given.model === 'function';
}
