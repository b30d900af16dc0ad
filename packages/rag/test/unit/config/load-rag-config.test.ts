import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadRagConfig, RagError } from '../../../src/index.ts';
import { temporaryFolder } from '../../support/search-index.ts';
import type { LoadRagConfigOptions } from '../../../src/config/load-rag-config.ts';

/** Returns a working directory with a settings file. */
async function withFile(
  text: string,
): Promise<{ readonly cwd: string; readonly env: Record<string, string> }> {
  const cwd = temporaryFolder();
  await mkdir(join(cwd, 'config'));
  await writeFile(join(cwd, 'config/dialogoi.config.json'), text);
  return { cwd, env: {} };
}

async function problemOf(options: LoadRagConfigOptions): Promise<string> {
  const error: unknown = await loadRagConfig(options).catch((thrown: unknown) => thrown);
  if (!RagError.isInstance(error)) throw new Error('it should have failed', { cause: error });
  expect(error.code).toBe('config-invalid');
  return error.message;
}

const WHOLE = `{
  "vector": "none",
  "projectRoot": "./novels",
  "chunk": {
    "maxTokens": 400,
    "overlap": 0.2,
    "chapters": true
  },
  "flex": {
    "profile": "fast"
  },
  "search": {
    "defaultK": 10,
    "maxK": 50
  }
}
`;

describe('the settings', () => {
  it('are the defaults where nothing is said', async () => {
    const cwd = temporaryFolder();
    expect(await loadRagConfig({ cwd, env: {} })).toEqual({
      vector: 'none',
      projectRoot: join(cwd, 'novels'),
      chunk: { maxTokens: 400, overlap: 0.2, chapters: true },
      flex: { profile: 'fast' },
      search: { defaultK: 10, maxK: 50 },
    });
  });

  it('are those of the file, where it says all of them', async () => {
    const options = await withFile(WHOLE);
    const { projectRoot, ...rest } = await loadRagConfig(options);
    expect(projectRoot).toBe(join(options.cwd, 'novels'));
    expect({ ...rest, projectRoot: './novels' }).toEqual(JSON.parse(WHOLE));
  });

  it('come from arguments over variables over the file over defaults', async () => {
    const options = await withFile('\uFEFF{"chunk": {"maxTokens": 100, "overlap": 0.1}}');
    const env = { DIALOGOI_MAX_TOKENS: '200', DIALOGOI_DEFAULT_K: '5', DIALOGOI_MAX_K: '' };
    const args = ['--max-tokens', '300', '--project-root=./小説'];
    const config = await loadRagConfig({ ...options, env, args });
    expect(config).toMatchObject({
      chunk: { maxTokens: 300, overlap: 0.1, chapters: true },
      search: { defaultK: 5, maxK: 50 },
      projectRoot: join(options.cwd, '小説'),
    });
    const over = await loadRagConfig({ ...options, env, args, projectRoot: '/else' });
    expect(over.projectRoot).toBe('/else');
  });

  it('hold where vectors are kept, and none where the file or an argument says so', async () => {
    const options = await withFile(
      '{"vector": {"qdrant": {"url": "http://localhost:6333"}, "embedding": {"model": "ollama:bge-m3", "dimensions": 1024}}}',
    );
    const env = { DIALOGOI_QDRANT_API_KEY: 'secret' };
    expect((await loadRagConfig({ ...options, env })).vector).toEqual({
      enabled: true,
      provider: 'qdrant',
      qdrant: { url: 'http://localhost:6333', apiKey: 'secret', collection: 'dialogoi' },
      embedding: { model: 'ollama:bge-m3', dimensions: 1024 },
    });
    const elsewhere = await withFile(
      '{"vector": {"qdrant": {"url": "https://vectors.example"}, "embedding": {"model": "ollama:bge-m3", "dimensions": 1024}}}',
    );
    await expect(loadRagConfig({ ...elsewhere, env })).rejects.toMatchObject({
      code: 'untrusted',
      message: expect.stringMatching(
        /texts go to https:\/\/vectors\.example .*DIALOGOI_QDRANT_API_KEY goes to/,
      ),
    });
    const packaged = await withFile(
      '{"vector": {"embedding": {"model": "ai-sdk:@ai-sdk/cohere:m", "dimensions": 8}}}',
    );
    await expect(loadRagConfig({ ...packaged, env: {} })).rejects.toMatchObject({
      code: 'untrusted',
      message: expect.stringContaining('the package @ai-sdk/cohere is loaded and run'),
    });
    for (const model of ['openai:text-embedding-3-small', 'gemini:m', 'groq:x:m']) {
      const remote = await withFile(
        JSON.stringify({ vector: { embedding: { model, dimensions: 8 } } }),
      );
      await expect(loadRagConfig({ ...remote, env: {} })).rejects.toMatchObject({
        code: 'untrusted',
        message: expect.stringContaining('your texts and searches go to https://'),
      });
      expect((await loadRagConfig({ ...remote, env: {}, trust: true })).vector).not.toBe('none');
    }
    const otherPort = await withFile(
      '{"vector": {"qdrant": {"url": "http://127.0.0.1:19990"}, "embedding": {"model": "ollama:bge-m3", "dimensions": 1024}}}',
    );
    await expect(loadRagConfig({ ...otherPort, env })).rejects.toMatchObject({
      code: 'untrusted',
      message: expect.stringMatching(/DIALOGOI_QDRANT_API_KEY goes to http:\/\/127\.0\.0\.1:19990/),
    });
    expect((await loadRagConfig({ ...otherPort, env: {} })).vector).not.toBe('none');
    const trusted = await loadRagConfig({ ...elsewhere, env, trust: true });
    expect(trusted.vector).toMatchObject({ qdrant: { apiKey: 'secret' } });
    const own = { DIALOGOI_QDRANT_URL: 'https://vectors.example', ...env };
    expect((await loadRagConfig({ ...options, env: own })).vector).toMatchObject({
      qdrant: { url: 'https://vectors.example' },
    });
    const off = await loadRagConfig({ ...options, args: ['--vector', 'none'] });
    expect(off.vector).toBe('none');
    for (const written of ['{"enabled": false}', '{"provider": "none"}']) {
      const alone = await withFile(`{"vector": ${written}}`);
      expect((await loadRagConfig({ ...alone, env })).vector).toBe('none');
    }
    // A key in the environment alone turns nothing on.
    expect((await loadRagConfig({ cwd: temporaryFolder(), env })).vector).toBe('none');
  });
});

describe('a wrong setting is reported with its place', () => {
  it.each([
    ['{\n  "chunk": {\n    "maxTokens": 5\n  }\n}', /config\.json:3:18: 'chunk\.maxTokens': /],
    [
      '{\n  "chunk": { "maxToken": 300 }\n}',
      /:2:14: the key 'chunk\.maxToken' .*'maxTokens' meant/,
    ],
    ['{ "serach": {} }', /:1:3: the key 'serach' is not known: is 'search' meant/],
    ['{ "search": {"k": 3} }', /'search\.k' is not known: known are defaultK, maxK/],
    ['{ "search": {"defaultK": 60} }', /:1:26: 'search\.defaultK': it is more than search\.maxK/],
    ['{ "vector": {} }', /:1:13: 'vector\.embedding' is missing/],
    ['{ "vector": {"enabled": false, "modle": 1} }', /the key 'vector\.modle' is not known/],
    ['{ "vector": "qdrant" }', /:1:13: 'vector': it must be "none" or an object/],
    [
      '{ "vector": {"embedding": {"model": "x"}} }',
      /:1:27: 'vector\.embedding\.dimensions' is missing/,
    ],
    [
      '{ "vector": {"embeding": {}, "embedding": {"model": "x", "dimensions": 3}} }',
      /'vector\.embeding' is not known: is 'embedding' meant/,
    ],
    ['{\n  "chunk": {},\n}', /:3:1: '}', where a key in double quotes is expected/],
    ['{\n  // why\n}', /:2:3: a comment, which JSON does not have/],
    [
      '{\n  "flex": {"profile": "fast"}\n  "chunk": {}\n}',
      /:3:3: '"', where ',' or '}' is expected/,
    ],
    ['{"chunk": {}, "chunk": {}}', /:1:15: the key "chunk" is there twice/],
    ['{"projectRoot": "', /:1:17: a string that is not closed/],
    ['[]', /:1:1: the settings must be an object/],
    ['', /:1:1: the file is empty: write {} for the defaults/],
    [' \n', /:1:1: the file is empty/],
    ['null', /:1:1: the settings must be an object/],
    ['\n  null', /:2:3: the settings must be an object/],
    ['{\n  "vector": {"embeding": 1}}', /:2:14: the key 'vector\.embeding' is not known/],
  ])('%j', async (text, expected) => {
    expect(await problemOf(await withFile(text))).toMatch(expected);
  });

  it('of a file that is no UTF-8', async () => {
    const cwd = temporaryFolder();
    const sjis = Buffer.concat([
      Buffer.from('{\n  "chunk": {},\n  "projectRoot": "小説'),
      Buffer.from([0x93, 0x94, 0x91, 0xe4]),
      Buffer.from('"}'),
    ]);
    const files = {
      sjis,
      cut: sjis.subarray(0, sjis.indexOf('説') + 2),
      utf16: Buffer.from('{}', 'utf16le').swap16(),
    };
    await writeFile(
      join(cwd, 'utf16.json'),
      Buffer.concat([Buffer.from([0xfe, 0xff]), files.utf16]),
    );
    for (const name of ['sjis', 'cut'] as const)
      await writeFile(join(cwd, `${name}.json`), files[name]);
    const told = (file: string): Promise<string> => problemOf({ cwd, env: {}, file });
    const why = 'from here on it is no UTF-8 (Shift_JIS or UTF-16?): save the file as UTF-8';
    expect(await told('sjis.json')).toBe(`sjis.json:3:21: ${why}`);
    expect(await told('cut.json')).toBe(`cut.json:3:20: ${why}`);
    expect(await told('utf16.json')).toBe(`utf16.json:1:1: ${why}`);
  });

  it.each([
    [['--max-token', '3'], /'--max-token' is not known: is --max-tokens meant\?/],
    [['novels'], /'novels' is not known: known are --vector,/],
    [['--max-tokens'], /--max-tokens needs a value/],
    [['--max-tokens', 'many'], /--max-tokens: expected a number, got 'many'/],
    [['--max-tokens=5'], /^--max-tokens: 'chunk\.maxTokens': /],
    [['--qdrant-url', 'http://x'], /--qdrant-url needs 'vector' to be an object/],
  ])('of the arguments %j', async (args, expected) => {
    expect(await problemOf({ cwd: temporaryFolder(), env: {}, args })).toMatch(expected);
  });

  it('of a variable, and of a file that is not there', async () => {
    const cwd = temporaryFolder();
    const env = { DIALOGOI_OVERLAP: '0.9' };
    expect(await problemOf({ cwd, env })).toMatch(/^DIALOGOI_OVERLAP: 'chunk\.overlap': /);
    expect(await problemOf({ cwd, env: {}, file: 'mine.json' })).toMatch(/mine\.json is not there/);
  });
});

describe('files of variables next to the settings', () => {
  const QDRANT =
    '{"vector": {"qdrant": {"url": "http://localhost:6333"}, "embedding": {"model": "ollama:m", "dimensions": 8}}}';
  /** Variables that this process has by now are left alone. */
  const free = (name: string): string => {
    onTestFinished(() => void delete process.env[name]);
    return name;
  };
  const withEnv = async (
    settings: string,
    files: Readonly<Record<string, string>>,
  ): Promise<LoadRagConfigOptions> => {
    const options = await withFile(settings);
    for (const [file, text] of Object.entries(files))
      await writeFile(join(options.cwd, file), text);
    return { ...options, envFile: true };
  };

  it('are read by the parser of Node, under what is set, and only if asked for', async () => {
    const options = await withEnv('{"search": {"maxK": 20, "defaultK": 3}}', {
      '.env': 'DIALOGOI_MAX_K=30\nDIALOGOI_DEFAULT_K=4\nDIALOGOI_OVERLAP=0.3\n',
      'config/.env': '# ours\nexport DIALOGOI_MAX_K="40" # more\nDIALOGOI_MAX_TOKENS=\'200\'\n',
    });
    const env = { DIALOGOI_DEFAULT_K: '7' };
    expect(await loadRagConfig({ ...options, env })).toMatchObject({
      search: { maxK: 40, defaultK: 7 },
      chunk: { maxTokens: 200, overlap: 0.3 },
    });
    expect((await loadRagConfig({ ...options, env, envFile: false })).search.maxK).toBe(20);
    await writeFile(join(options.cwd ?? '', 'config/.env'), 'DIALOGOI_MAX_K=viele');
    expect(await problemOf(options)).toBe(
      `DIALOGOI_MAX_K of ${join('config', '.env')}: expected a number, got 'viele'`,
    );
  });

  it.each([
    ['a byte order mark', Buffer.from('\ufeffDIALOGOI_MAX_K=30\r\n')],
    ['UTF-16', Buffer.from('\ufeffDIALOGOI_MAX_K=30\r\n', 'utf16le')],
    ['a comment in Latin-1', Buffer.from('# Gr\u00f6\u00dfe\nDIALOGOI_MAX_K=30\n', 'latin1')],
  ])('are read with %s', async (_, bytes) => {
    const options = await withEnv('{}', {});
    await writeFile(join(options.cwd ?? '', '.env'), bytes);
    expect((await loadRagConfig({ ...options, env: {} })).search.maxK).toBe(30);
    await writeFile(join(options.cwd ?? '', '.env'), Buffer.from([0xff, 0xfe, 0x00]));
    expect(await problemOf(options)).toBe('.env cannot be read: it is no text: save it as UTF-8');
  });

  it.each<[string, string, Record<string, string>, RegExp]>([
    [
      'another server',
      'DIALOGOI_QDRANT_URL=https://evil.example',
      {},
      /passages of your texts go to https:\/\/evil\.example/,
    ],
    [
      'another server, with a key of the user',
      'DIALOGOI_QDRANT_URL=https://evil.example',
      { DIALOGOI_QDRANT_API_KEY: 'k' },
      /the value of DIALOGOI_QDRANT_API_KEY goes to https:\/\/evil\.example/,
    ],
    [
      'another port of this machine',
      'DIALOGOI_QDRANT_URL=http://localhost:9',
      { DIALOGOI_QDRANT_API_KEY: 'k' },
      /DIALOGOI_QDRANT_API_KEY goes to http:\/\/localhost:9/,
    ],
    [
      'a remote model',
      'DIALOGOI_EMBEDDING_MODEL=openai:text-embedding-3-small',
      {},
      /your texts and searches go to https:/,
    ],
    [
      'a package',
      'DIALOGOI_EMBEDDING_MODEL=ai-sdk:@evil/model:m',
      {},
      /the package @evil\/model is loaded/,
    ],
    [
      'a database',
      'DIALOGOI_BACKEND=postgres\nDIALOGOI_DATABASE=postgres://evil.example/x',
      {},
      /your texts go to evil\.example/,
    ],
    ['texts elsewhere', 'DIALOGOI_PROJECT_ROOT=../..', {}, /texts are read from and written to/],
    ['a log elsewhere', 'DIALOGOI_LOG_FILE=../../x.log', {}, /the log is written to/],
    ['a log in a hidden folder', 'DIALOGOI_LOG_FILE=.git/x.log', {}, /the log is written to/],
    [
      'a key of another',
      'HB_TEST_API_KEY=theirs',
      {},
      /texts are sent with the key HB_TEST_API_KEY of \.env/,
    ],
  ])('ask for consent as the settings do: %s', async (_, text, env, message) => {
    const options = await withEnv(QDRANT, { '.env': text });
    const error: unknown = await loadRagConfig({ ...options, env }).catch((e: unknown) => e);
    expect(error).toMatchObject({
      code: 'untrusted',
      message: expect.stringMatching(message) as unknown,
    });
    expect(process.env['HB_TEST_API_KEY']).toBeUndefined();
  });

  it('set keys of providers with consent, and no other variable at all', async () => {
    const key = free('HB_OTHER_API_KEY');
    const names = ['NODE_OPTIONS', 'OPENAI_BASE_URL', 'OLLAMA_HOST', 'HTTPS_PROXY', 'VIZPROMPT_X'];
    const before = names.map((name) => process.env[name]);
    const text = [`${key}=ours`, ...names.map((name) => `${name}=evil`)].join('\n');
    const options = await withEnv(QDRANT, { '.env': text });
    await loadRagConfig({ ...options, trust: true });
    expect(process.env[key]).toBe('ours');
    expect(names.map((name) => process.env[name])).toEqual(before);
    await writeFile(join(options.cwd ?? '', '.env'), `${key}=theirs`);
    await loadRagConfig({ ...options, env: process.env, trust: true });
    expect(process.env[key]).toBe('ours');
  });
});

describe('the log', () => {
  it('is a file that ends in .log, next to the settings', async () => {
    const options = await withFile('{"log": {"file": "logs/dialogoi.log"}}');
    expect((await loadRagConfig(options)).log).toEqual({
      file: join(options.cwd, 'logs/dialogoi.log'),
      level: 'info',
    });
    const wrong = await withFile('{"log": {"file": "package.json"}}');
    expect(await problemOf(wrong)).toContain("'log.file': it must end in .log");
  });
});
