import { LLMError, type ModelRegistry } from '@vizprompt/providers';
import { scriptedModel } from '@vizprompt/providers/testing';

/** Models of any name that know who they are and have nothing to say: layers answer for them. */
export const scriptedRegistry: ModelRegistry = {
  specVersion: 1,
  model(name) {
    const [, provider = 'scripted', modelId = name] = /^([^:]+):(.+)$/s.exec(name) ?? [];
    const nothing = (): LLMError =>
      new LLMError('unsupported', `'${name}' is scripted, and no answers were given`);
    return scriptedModel(nothing, { provider, modelId });
  },
  embeddings(name) {
    throw new LLMError('unsupported', `'${name}': there are no scripted embeddings here`);
  },
};
