import type { JsonObject } from '../../json/json-value.ts';

const DETAILS = {
  parent_model: '',
  format: 'gguf',
  family: 'llama',
  families: ['llama'],
  parameter_size: '8.0B',
  quantization_level: 'Q4_K_M',
};

/** The list of `/api/tags`, or the model that `/api/show` is asked for. */
export function ollamaModels(
  ids: readonly string[],
  model: string,
  contextLength: number,
): JsonObject {
  if (model !== '') {
    return {
      modelfile: `FROM ${model}`,
      template: '{{ .Prompt }}',
      details: DETAILS,
      model_info: {
        'general.architecture': 'llama',
        'llama.context_length': contextLength,
        'llama.embedding_length': 8,
      },
      capabilities: ['completion', 'tools', 'thinking'],
      modified_at: '2025-01-01T00:00:00Z',
    };
  }
  const entry = (id: string): JsonObject => ({
    name: id,
    model: id,
    modified_at: '2025-01-01T00:00:00Z',
    size: 4_920_753_328,
    digest: '0'.repeat(64),
    details: DETAILS,
  });
  return { models: ids.map(entry) };
}
