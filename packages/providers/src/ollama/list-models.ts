import { readCapabilities } from '../adapter-kit/model-record.ts';
import type { Wire } from '../adapter-kit/wire.ts';
import { Semaphore } from '../concurrency/semaphore.ts';
import { fieldsOf, jsonOf, listOf, numberOf, type Fields } from '../json/fields.ts';
import type { ModelInfo } from '../models/model-info.ts';
import { clientFor, type ResolvedOllama } from './options.ts';

/** Models are described one by one: this many at a time. */
const AT_ONCE = 4;

/** Lists the models that are installed, each as the server describes it. */
export async function listModels(
  connection: ResolvedOllama,
  wire: Wire,
): Promise<readonly ModelInfo[]> {
  const client = await clientFor(connection, wire, { isStream: false });
  const { models } = await client.list();
  const records: readonly (typeof models)[number][] = listOf(models).length === 0 ? [] : models;
  const permits = new Semaphore(AT_ONCE);
  return Promise.all(
    records.map(({ name, model }): Promise<ModelInfo> =>
      permits.run(async () => {
        const id = model || name;
        const shown = fieldsOf(await client.show({ model: id }));
        return { id, capabilities: capabilitiesIn(shown), raw: jsonOf(shown) };
      }),
    ),
  );
}

/** The context is named after the architecture: `qwen3.context_length`. */
function capabilitiesIn(shown: Fields): ModelInfo['capabilities'] {
  const entries = Object.entries(fieldsOf(shown['model_info']));
  const [, length] = entries.find(([key]) => key.endsWith('.context_length')) ?? [];
  const contextWindow = numberOf(length);
  return {
    jsonSchema: true,
    ...readCapabilities({ capabilities: shown['capabilities'] }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
  };
}
