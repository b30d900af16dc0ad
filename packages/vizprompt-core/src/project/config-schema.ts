import { z } from 'zod';

/** `config.yaml` with its defaults filled in. */
export interface ConfigFile {
  readonly version: string;
  readonly settings: {
    readonly max_files_per_folder: number;
    readonly default_llm_provider?: string | undefined;
    readonly default_model?: string | undefined;
    readonly summary_token_limit?: number | undefined;
    readonly connection_ids?: boolean | undefined;
    readonly sharing: 'none' | 'git';
  };
  readonly providers: Readonly<
    Record<
      string,
      { readonly api_key_env?: string | undefined; readonly host?: string | undefined }
    >
  >;
}

const provider = z.looseObject({
  api_key_env: z.string().optional(),
  host: z.string().optional(),
});

const settings = z.looseObject({
  max_files_per_folder: z.int().min(1).max(256).default(256),
  default_llm_provider: z.string().optional(),
  default_model: z.string().optional(),
  summary_token_limit: z.int().min(1).optional(),
  connection_ids: z.boolean().optional(),
  sharing: z.enum(['none', 'git']).default('none'),
});

/** The major version of the formats that this package reads and writes. */
const MAJOR = 1;

const version = z.coerce
  .string()
  .regex(/^\d+(?:\.\d+)*$/, 'it is no version, such as "1.0"')
  .refine((text) => Number.parseInt(text, 10) <= MAJOR, {
    error: ({ input }) =>
      `the project has version ${String(input)}, and this version of @vizprompt/core knows those up to ${MAJOR}.x: update it`,
  })
  .default('1.0');

/** Checks `config.yaml`; keys that it does not name are left alone. */
export const configSchema: z.ZodType<ConfigFile> = z.looseObject({
  version,
  settings: settings.default(() => settings.parse({})),
  providers: z.record(z.string(), provider).default({}),
});
