import type { QdrantClient } from '@qdrant/js-client-rest';
import { VectorError } from '../vector/vector-error.ts';
import { fieldsOf, numberOf, stringOf } from '../json/fields.ts';
import { DENSE, FACETS, SPARSE } from './point.ts';

/** The form of a collection. */
export interface CollectionForm {
  readonly name: string;
  readonly place: string;
  readonly dimensions: number;
  readonly model: string | undefined;
  readonly isHybrid: boolean;
}

type Api = ReturnType<QdrantClient['api']>;

/** How the server is called. A redirect would carry the key and the texts to another one. */
export interface QdrantCall {
  readonly signal: AbortSignal;
  readonly redirect: 'manual';
}

/** Returns how the server is called until a signal. */
export function callUntil(signal: AbortSignal): QdrantCall {
  return { signal, redirect: 'manual' };
}

/** The key of the metadata of a collection that names the model. */
const MODEL = 'vizprompt_model';

/**
 * Makes a collection where it is missing, and compares what it was made for.
 *
 * @throws VectorError with the code `dimension-mismatch`, `model-mismatch` or `refused`.
 */
export async function openCollection(
  api: Api,
  form: CollectionForm,
  signal: AbortSignal,
): Promise<void> {
  const { name, dimensions, model, isHybrid } = form;
  const path = { collection_name: name };
  const call = callUntil(signal);
  const { data } = await api.collectionExists(path, call);
  if (data.result?.exists !== true) {
    try {
      await api.createCollection(
        {
          ...path,
          vectors: { [DENSE]: { size: dimensions, distance: 'Cosine' } },
          ...(isHybrid ? { sparse_vectors: { [SPARSE]: { modifier: 'idf' } } } : {}),
          ...(model === undefined ? {} : { metadata: { [MODEL]: model } }),
        },
        call,
      );
    } catch (error) {
      // Another process has just made it.
      if (numberOf(fieldsOf(error)['status']) !== 409) throw error;
    }
  }
  const info = await api.getCollection(path, call);
  compare(fieldsOf(fieldsOf(info.data.result)['config']), form);
  // An index that is there already is left as it is.
  await api.createFieldIndex(
    { ...path, wait: true, field_name: FACETS, field_schema: 'keyword' },
    call,
  );
}

function compare(config: Readonly<Record<string, unknown>>, form: CollectionForm): void {
  const { place, dimensions, model, isHybrid } = form;
  const params = fieldsOf(config['params']);
  const dense = fieldsOf(fieldsOf(params['vectors'])[DENSE]);
  const wayOut = ': give this one another collection, or delete the old one';
  if (dense['size'] !== dimensions) {
    const made = numberOf(dense['size']);
    const holds = made === undefined ? `no vectors named '${DENSE}'` : `${made} dimensions`;
    throw new VectorError(
      'dimension-mismatch',
      `${place} has ${holds}, not ${dimensions} dimensions${wayOut}`,
      { context: { made, wanted: dimensions } },
    );
  }
  if (isHybrid && fieldsOf(params['sparse_vectors'])[SPARSE] === undefined) {
    throw new VectorError('refused', `${place} was made without words (sparse: true)${wayOut}`);
  }
  const known = stringOf(fieldsOf(config['metadata'])[MODEL]);
  if (known !== undefined && model !== undefined && known !== model) {
    throw new VectorError(
      'model-mismatch',
      `${place} holds vectors of the model '${known}', not '${model}'${wayOut}`,
      { context: { made: known, wanted: model } },
    );
  }
}
