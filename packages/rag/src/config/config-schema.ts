import { z } from 'zod';
import type { RagConfig } from './rag-config.ts';

const text = z.string().min(1, 'it is empty');

const qdrant = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: 'it is no address, such as http://localhost:6333' }),
  apiKey: text.exactOptional(),
  collection: text.default('dialogoi'),
});

const vector = z.strictObject({
  enabled: z.boolean().default(true),
  provider: z.enum(['qdrant', 'none']).default('qdrant'),
  qdrant: qdrant.exactOptional(),
  embedding: z.strictObject({ model: text, dimensions: z.int().min(1).max(65_536) }),
  fusion: z
    .strictObject({
      gate: z.number().min(0).max(1).exactOptional(),
      weight: z.number().min(0).max(100).exactOptional(),
    })
    .exactOptional(),
});

/** `embedding` is optional when vectors are off. */
const noVector = vector
  .extend({ qdrant: qdrant.partial(), embedding: vector.shape.embedding.partial() })
  .partial()
  .refine(({ enabled, provider }) => enabled === false || provider === 'none')
  .transform(() => 'none' as const);

const chunk = z.strictObject({
  maxTokens: z.number().min(20).default(400),
  overlap: z.number().min(0).max(0.5).default(0.2),
  chapters: z.boolean().default(true),
});

const flex = z.strictObject({
  profile: z.enum(['default', 'fast', 'memory', 'performance', 'match', 'score']).default('fast'),
});

const search = z
  .strictObject({
    defaultK: z.int().min(1).default(10),
    maxK: z.int().min(1).max(1000).default(50),
    romaji: z.boolean().exactOptional(),
  })
  .refine(({ defaultK, maxK }) => defaultK <= maxK, {
    path: ['defaultK'],
    error: 'it is more than search.maxK',
  });

const log = z.strictObject({
  // Never a file that means something else to another program.
  file: z.string().regex(/[^/\\]\.log$/i, 'it must end in .log'),
  level: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
});

/** Checks `config/dialogoi.config.json`. Keys that it does not name are an error: they would be ignored. */
export const configSchema: z.ZodType<RagConfig> = z
  .strictObject({
    vector: z.union([z.literal('none'), vector, noVector]).default('none'),
    backend: z.enum(['files', 'postgres']).exactOptional(),
    database: z
      .url({
        protocol: /^postgres(?:ql)?$/,
        error: 'it is no address of PostgreSQL, such as postgres://user@server/novels',
      })
      .exactOptional(),
    projectRoot: text.default('novels'),
    chunk: chunk.prefault({}),
    thesaurus: text.exactOptional(),
    flex: flex.prefault({}),
    search: search.prefault({}),
    log: log.exactOptional(),
  })
  .refine(({ backend, database }) => backend !== 'postgres' || database !== undefined, {
    path: ['database'],
    error:
      'it is missing: with "backend": "postgres" give it, --database or DIALOGOI_DATABASE; with the option storage of NovelService leave "backend" out',
  });
