import { writeFiles } from './write-static-model.ts';

/** Words of the model; the first fills up, the second is the unknown one. */
export const ONNX_WORDS: readonly string[] = [
  '[PAD]',
  '[UNK]',
  '山',
  '川',
  '海',
  'query:',
  'passage:',
];
export const ONNX_WIDTH = 4;
/** A row for each word. */
export const ONNX_TABLE: Float32Array = Float32Array.from(
  { length: ONNX_WORDS.length * ONNX_WIDTH },
  (_, at) => Math.sin(at + 1),
);

/**
 * Writes a folder that `@huggingface/transformers` loads: a real ONNX file of one node, which looks words up in a table.
 *
 * Source of the numbers of the fields: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
 */
export async function writeOnnxModel(folder: string): Promise<void> {
  await writeFiles(folder, {
    'onnx/model.onnx': gatherModel(),
    'config.json': { model_type: 'bert', architectures: ['BertModel'], hidden_size: ONNX_WIDTH },
    'tokenizer_config.json': {
      tokenizer_class: 'PreTrainedTokenizerFast',
      pad_token: '[PAD]',
      unk_token: '[UNK]',
      model_max_length: 6,
    },
    'tokenizer.json': {
      version: '1.0',
      added_tokens: [0, 1].map((id) => ({ id, content: ONNX_WORDS[id], special: true })),
      normalizer: null,
      pre_tokenizer: { type: 'WhitespaceSplit' },
      post_processor: null,
      decoder: null,
      model: {
        type: 'WordLevel',
        unk_token: '[UNK]',
        vocab: Object.fromEntries(ONNX_WORDS.map((word, id) => [word, id])),
      },
    },
  });
}

const FLOAT = 1;
const INT64 = 7;

function gatherModel(): Buffer {
  const table = [
    number(1, ONNX_WORDS.length),
    number(1, ONNX_WIDTH),
    number(2, FLOAT),
    text(8, 'table'),
    bytes(9, Buffer.from(ONNX_TABLE.buffer)),
  ];
  const node = [
    text(1, 'table'),
    text(1, 'input_ids'),
    text(2, 'last_hidden_state'),
    text(4, 'Gather'),
  ];
  const graph = [
    message(1, ...node),
    text(2, 'graph'),
    message(5, ...table),
    value(11, 'input_ids', INT64, ['batch', 'length']),
    value(11, 'attention_mask', INT64, ['batch', 'length']),
    value(12, 'last_hidden_state', FLOAT, ['batch', 'length', ONNX_WIDTH]),
  ];
  const operators = [text(1, ''), number(2, 17)];
  return Buffer.concat([number(1, 8), message(7, ...graph), message(8, ...operators)]);
}

function value(
  field: number,
  name: string,
  type: number,
  shape: readonly (string | number)[],
): Buffer {
  const sizes = shape.map((size) =>
    message(1, typeof size === 'number' ? number(1, size) : text(2, size)),
  );
  return message(
    field,
    text(1, name),
    message(2, message(1, number(1, type), message(2, ...sizes))),
  );
}

function message(field: number, ...parts: readonly Buffer[]): Buffer {
  return bytes(field, Buffer.concat(parts));
}

function text(field: number, content: string): Buffer {
  return bytes(field, Buffer.from(content));
}

function bytes(field: number, content: Buffer): Buffer {
  return Buffer.concat([varint((field << 3) | 2), varint(content.length), content]);
}

function number(field: number, content: number): Buffer {
  return Buffer.concat([varint(field << 3), varint(content)]);
}

function varint(content: number): Buffer {
  const found: number[] = [];
  let rest = content;
  do {
    found.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
    rest >>>= 7;
  } while (rest > 0);
  return Buffer.from(found);
}
