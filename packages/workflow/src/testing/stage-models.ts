import { type ChatModel, LLMError, type ModelRegistry } from '@vizprompt/providers';
import { createModelRegistry } from '@vizprompt/providers/registry';
import { scriptedModel } from '@vizprompt/providers/testing';
import type { GivenModels } from '../calls/model-chooser.ts';

/** Models of any name that have nothing to say of their own: layers answer for them. */
export function silentModels(): ModelRegistry {
  return registryOf((name) => {
    const nothing = (): LLMError =>
      new LLMError('unsupported', `'${name}' is scripted, and no answers were given`);
    return scriptedModel(nothing, namesOf(name));
  });
}

/**
 * Models that are called as the files call them, wherever they are asked: so that what is recorded of them is found
 * again without them.
 */
export function namedModels(given: GivenModels | undefined): ModelRegistry {
  const registry = isRegistry(given) ? given : given ? undefined : createModelRegistry();
  return registryOf((name) => {
    const model = registry ? registry.model(name) : own(given, name);
    return {
      ...namesOf(name),
      specVersion: 1,
      capabilities: model.capabilities,
      stream: (request) => model.stream(request),
      generate: (request) => model.generate(request),
    };
  });
}

function registryOf(model: (name: string) => ChatModel): ModelRegistry {
  return {
    specVersion: 1,
    model,
    embeddings(name) {
      throw new LLMError('unsupported', `'${name}': workflows ask no embedding models`);
    },
  };
}

function namesOf(name: string): { readonly provider: string; readonly modelId: string } {
  const [, provider = 'model', modelId = name] = /^([^:]+):(.+)$/s.exec(name) ?? [];
  return { provider, modelId };
}

function own(given: object | undefined, name: string): ChatModel {
  const model: unknown = given && Object.hasOwn(given, name) ? Reflect.get(given, name) : undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the values of the option
  if (model) return model as ChatModel;
  const names = Object.keys(given ?? {}).join(', ') || 'none';
  throw new LLMError('not_found', `there is no model '${name}'; there is: ${names}`);
}

function isRegistry(given: GivenModels | undefined): given is ModelRegistry {
  return given !== undefined && typeof Reflect.get(given, 'model') === 'function';
}
