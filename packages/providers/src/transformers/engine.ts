/** Numbers of a model, with their shape. */
export interface NumberTensor {
  readonly type: string;
  readonly data: Float32Array | BigInt64Array;
  readonly dims: readonly number[];
  to(type: 'float32'): NumberTensor;
}

/** A loaded model of `@huggingface/transformers`, by its two halves. */
export interface Engine {
  tokenizer(
    texts: readonly string[],
    options: { readonly padding: boolean; readonly truncation: boolean },
  ): { readonly attention_mask: NumberTensor };
  model(inputs: object): Promise<Readonly<Record<string, NumberTensor | undefined>>>;
}

/** Checks whether a loaded pipeline has the two halves. */
export function isEngine(value: unknown): value is Engine {
  return (
    typeof value === 'function' &&
    'tokenizer' in value &&
    typeof value.tokenizer === 'function' &&
    'model' in value &&
    typeof value.model === 'function'
  );
}
