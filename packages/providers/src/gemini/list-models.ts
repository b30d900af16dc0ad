import { readCapabilities } from '../adapter-kit/model-record.ts';
import type { Wire } from '../adapter-kit/wire.ts';
import { fieldsOf, jsonOf, stringOf } from '../json/fields.ts';
import type { ModelInfo } from '../models/model-info.ts';
import { clientFor, type ResolvedGemini } from './options.ts';

/** Lists the models of Gemini that generate content. */
export async function listModels(
  connection: ResolvedGemini,
  wire: Wire,
): Promise<readonly ModelInfo[]> {
  const client = await clientFor(connection, wire);
  const pager = await client.models.list({ config: { pageSize: 1000, abortSignal: wire.signal } });
  const models: ModelInfo[] = [];
  for await (const model of pager) {
    const id = (model.name ?? '').replace(/^models\//, '');
    const actions = model.supportedActions ?? [];
    if (id === '' || (actions.length > 0 && !actions.includes('generateContent'))) continue;
    const name = stringOf(model.displayName);
    models.push({
      id,
      ...(name && name !== id ? { name } : {}),
      capabilities: { tools: true, jsonSchema: true, ...readCapabilities(fieldsOf(model)) },
      raw: jsonOf(model),
    });
  }
  return models;
}
