import { readCapabilities } from '../adapter-kit/model-record.ts';
import type { Wire } from '../adapter-kit/wire.ts';
import { fieldsOf, jsonOf, listOf, stringOf, textAt } from '../json/fields.ts';
import type { ModelCapabilities, ModelInfo } from '../models/model-info.ts';
import { clientFor } from './client.ts';
import { mayReason, readsImages } from './model-families.ts';
import type { ResolvedConnection } from './options.ts';
import type { OpenAIProfile } from './profiles.ts';

/** Lists the models of a server: in `data`, in `models`, or as a list alone (Together). */
export async function listModels(
  connection: ResolvedConnection,
  wire: Wire,
): Promise<readonly ModelInfo[]> {
  const client = await clientFor(connection, wire);
  const answer: unknown = await client.get('/models', { signal: wire.signal });
  const { data, models } = fieldsOf(answer);
  return listOf(Array.isArray(answer) ? answer : (data ?? models)).flatMap((value) => {
    const record = fieldsOf(value);
    const id = stringOf(value) ?? textAt(record, 'id', 'model', 'name');
    if (!id) return [];
    const name = textAt(record, 'display_name', 'displayName') ?? stringOf(record['name']);
    const known = capabilitiesOf(connection.profile, id);
    return {
      id,
      ...(name && name !== id ? { name } : {}),
      capabilities: { ...known, ...readCapabilities(record) },
      raw: jsonOf(value),
    };
  });
}

/** Returns the known capabilities of a model, by its server and its name. */
export function capabilitiesOf(
  { name, jsonMode }: OpenAIProfile,
  model: string,
): ModelCapabilities {
  const jsonSchema = jsonMode !== 'object' && jsonMode !== 'none';
  const ofServer = { tools: true, jsonSchema };
  if (name !== 'openai') return ofServer;
  return {
    ...ofServer,
    reasoning: mayReason(model),
    ...(readsImages(model) ? { inputMediaTypes: ['image/*', 'application/pdf'] } : {}),
  };
}
