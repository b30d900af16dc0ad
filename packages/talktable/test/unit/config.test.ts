import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createModelRegistry } from '@vizprompt/providers/registry';
import { ConversationManager, TalkError, type TalkConfig } from '@vizprompt/talktable';
import { checkTalkConfig, loadTalkConfig, parseTalkConfig } from '@vizprompt/talktable/config';
import { parse } from 'yaml';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { talkJsonSchema } from '../../src/config/config-schema.ts';
import { counting, failureOf, openManager, temporaryFolder, twoAndMC } from '../support/support.ts';

const FULL = `topic: 猫と犬、どちらと暮らすか
language: ja
participants:
  - name: 猫派
    model: ollama:qwen3:8b
    persona: |
      皮肉屋。
      短く話す。
    temperature: 0.9
    language: ja
  - name: 犬派
    model: openai:gpt-5-mini
    visibleTo: [猫派]
  - name: 太郎
    person: true
moderator:
  model: gemini:gemini-3-flash
  every: 2
  instructions:
    closing: 一言で締めてください。
order: mention
rounds: 3
stop:
  - keyword: 結論
  - all: [{ tokens: 50000 }, { similarity: { threshold: 0.9 } }]
intervalMs: 500
retries: 4
timeout: { totalMs: 60000 }
budget: { tokens: 100000 }
context: { turns: 20, tokens: 4000 }
providers:
  house: { baseURL: 'https://llm.example.com/v1', apiKeyEnv: HOUSE_KEY }
logPath: logs/talk.db
`;

const SMALL = `topic: t
participants:
  - name: A
    model: ollama:m
  - name: B
    model: ollama:m
`;

/** Nine aliases of nine aliases, and so on. */
const BOMB = [
  'a: &a [x, x, x, x, x, x, x, x, x]',
  ...['b', 'c', 'd', 'e', 'f', 'g'].map(
    (name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdef'[at]}`).join(', ')}]`,
  ),
].join('\n');

describe('a config in YAML', () => {
  it('is read, and flags take precedence over it', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'talk.yaml');
    await writeFile(path, FULL);
    const config = await loadTalkConfig(path, {
      overrides: { rounds: 1, topic: undefined } as never,
    });
    expect(config).toMatchObject({
      topic: '猫と犬、どちらと暮らすか',
      rounds: 1,
      order: 'mention',
    });
    expect(config.participants[0]?.persona).toBe('皮肉屋。\n短く話す。\n');
  });

  it.each<[string, string, string]>([
    ['topic: [', '1:', 'Flow sequence'],
    [SMALL.replace('topic: t', "topic: ''"), '1:8', "'topic': it is empty"],
    [SMALL.replace('topic: t', 'title: t'), '1:1', "'topic'"],
    [SMALL.split('  - name: B')[0] ?? '', '2:1', 'at least two participants'],
    [SMALL.replace('name: B', 'name: ａ'), '5:11', "'ａ' is the name of participant 1"],
    [
      SMALL.replace('name: B', 'name: mc') + 'moderator: { model: ollama:m }\n',
      '5:11',
      'the moderator',
    ],
    [`${SMALL}max_turns: 3\n`, '7:1', "'max_turns': there is no such key: did you mean maxTurns?"],
    ...[
      ['    maxTokens: 3', '7:5', 'maxOutputTokens'],
      ['    max_tokens: 3', '7:5', 'maxOutputTokens'],
      ['    system: s', '7:5', undefined],
      ['    maxTurn: 3', '7:5', undefined],
      ['moderator: { model: ollama:m, system: s }', '7:31', 'instructions'],
      ['moderator: { model: ollama:m, instructions: { openning: s } }', '7:47', 'opening'],
      ['providers: { house: { base_url: x } }', '7:23', 'baseURL'],
      ['temperature: 1', '7:1', undefined],
      ['timeout: { first_byte: 1 }', '7:12', 'firstByteMs'],
    ].map(([line = '', place = '', meant]): [string, string, string] => [
      `${SMALL}${line}\n`,
      place,
      `there is no such key${meant === undefined ? '\n' : `: did you mean ${meant}?`}`,
    ]),
    [`${SMALL}order: random\n`, '7:8', "'order'"],
    [`${SMALL}order: moderator\n`, '7:8', 'there is no moderator'],
    [`${SMALL}stop: { verdict: true }\n`, '7:1', 'there is no moderator to give a verdict'],
    [
      `${SMALL}stop: [{ rounds: 1 }, { bored: true }]\n`,
      '7:25',
      "'stop[1].bored': there is no such rule: the rules are rounds, turns,",
    ],
    [`${SMALL}stop:\n  all:\n    - any: [{ turns: x }]\n`, '9:22', "'stop.all[0].any[0].turns'"],
    [`${SMALL}stop: { rounds: 1, turns: 2 }\n`, '7:20', 'a rule has one key'],
    [`${SMALL}stop: never\n`, '7:7', 'it is no rule: the rules are'],
    [`${SMALL}stop: { similarity: { treshold: 1 } }\n`, '7:23', "'stop.similarity.treshold'"],
    [`${SMALL}language: *none\n`, '7:11', 'none'],
    [`${SMALL}stop: &a { all: [*a] }\n`, '1:1', 'it holds itself'],
    [BOMB, '2:8', 'alias'],
    [`${SMALL}rounds: 0\n`, '7:9', "'rounds'"],
    [SMALL.replace('    model: ollama:m\n  - name: B', '  - name: B'), '3:5', "'A' has no model"],
    [SMALL.replace('model: ollama:m\n  - ', 'temperature: 9\n  - '), '4:18', 'temperature'],
    [`${SMALL}    visibleTo: [C]\n`, '7:17', "'C' is no participant"],
    [`${SMALL}    person: true\n`, '6:12', "'B' is a person, and has a model"],
    ['- a\n', '1:1', 'a list of keys and values'],
  ])('that is wrong is reported with line and column: %#', async (text, place, problem) => {
    const error = await failureOf(parseTalkConfig(text, { file: 'talk.yaml' }));
    expect(TalkError.isInstance(error) && error.code).toBe('config-invalid');
    expect(String(error)).toContain(`talk.yaml:${place}`);
    expect(`${String(error)}\n`).toContain(problem);
  });

  it('is UTF-8: a file in Shift_JIS or UTF-16 is an error with its place, a BOM is none', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'talk.yaml');
    const rest = `\nparticipants: [{ name: A, model: 'ollama:x' }, { name: B, model: 'ollama:x' }]\n`;
    const sjis = Buffer.from([...Buffer.from('# a\ntopic: '), 0x94, 0x4c, ...Buffer.from(rest)]);
    for (const [bytes, place] of [
      [sjis, '2:8'],
      [Buffer.from(`\ufefftopic: 猫${rest}`, 'utf16le'), '1:1'],
    ] as const) {
      await writeFile(file, bytes);
      const message = `${file}:${place}: from here on it is no UTF-8 (Shift_JIS or UTF-16?): save the file as UTF-8`;
      for (const read of [loadTalkConfig, ConversationManager.open]) {
        expect(await failureOf(read(file))).toMatchObject({ code: 'config-invalid', message });
      }
    }
    await writeFile(file, `\ufefftopic: '猫 \ufffd'${rest}`);
    expect((await loadTalkConfig(file)).topic).toBe('猫 \ufffd');
  });

  it('says which file is missing, and that a flag is wrong and not the file', async () => {
    await expect(loadTalkConfig('no/such.yaml')).rejects.toThrow('no/such.yaml: it cannot be read');
    const overrides = { rounds: -1 };
    await expect(parseTalkConfig(SMALL, { overrides })).rejects.toThrow(
      /'rounds': .*\(given in addition to config\)/,
    );
  });
});

describe('all that is wrong', () => {
  const WRONG = `titel: t
participants:
  - { name: A, modle: 'ollama:m', temperature: 9, persona: p }
  - { name: a, model: 'nowhere:m' }
  - name: C
    model: house:m
    "visible_to": [A]
    visibleTo: [Z]
order: moderator
stop: [{ bored: true }, { similarity: { treshold: 1, trun: 2 } }]
timeout: { totalMs: x, total: 1 }
providers:
  house: { baseURL: 'http://localhost:1', apiKeyEnv: TALKTABLE_NO_SUCH_KEY }
`;
  const PLACES = [
    "1:1: 'topic': it is missing",
    "1:1: 'titel': there is no such key",
    "3:5: 'participants[0]': 'A' has no model",
    "3:16: 'participants[0].modle': there is no such key",
    "3:48: 'participants[0].temperature'",
    "4:13: 'participants[1].name': 'a' is the name of participant 1",
    "4:23: 'participants[1].model': there is no provider 'nowhere'",
    "7:5: 'participants[2].visible_to': there is no such key: did you mean visibleTo?",
    "8:17: 'participants[2].visibleTo[0]': 'Z' is no participant",
    "9:8: 'order': there is no moderator",
    "10:10: 'stop[0].bored'",
    "10:41: 'stop[1].similarity.treshold'",
    "10:54: 'stop[1].similarity.trun'",
    "11:21: 'timeout.totalMs'",
    "11:24: 'timeout.total': there is no such key: did you mean totalMs?",
    "13:54: 'providers.house.apiKeyEnv': the environment variable TALKTABLE_NO_SUCH_KEY is not set",
  ];

  it('with a file is reported at once, in its order, each with its place', async () => {
    const path = join(await temporaryFolder(), 'talk.yaml');
    await writeFile(path, WRONG);
    const error = await failureOf(ConversationManager.open(path));
    if (!TalkError.isInstance(error)) throw error;
    const lines = error.message.split('\n');
    expect(lines.map((line, at) => line.slice(0, `${path}:${PLACES[at]}`.length))).toEqual(
      PLACES.map((place) => `${path}:${place}`),
    );
    const { issues, ...first } = error.context;
    expect(first).toMatchObject({ file: path, line: 1, column: 1, path: ['topic'] });
    expect(issues).toHaveLength(PLACES.length);
    expect(issues).toContainEqual({
      file: path,
      line: 3,
      column: 48,
      path: ['participants', 0, 'temperature'],
      problem: expect.stringContaining('up to 2'),
      message: expect.stringContaining('3:48'),
    });
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ context: { issues } });
  });

  it('is pointed at where it is written: after anchors, tabs and wide characters', async () => {
    const text =
      'topic: t\r\nx: &p { name: 😀猫, modell: m }\r\nparticipants: [*p, { name: B, model: ollama:m, ？: 1 }]\r\n';
    const error = await failureOf(parseTalkConfig(text));
    expect(String(error)).toContain("config:2:1: 'x': there is no such key");
    expect(String(error)).toContain("config:2:20: 'participants[0].modell': there is no such key");
    expect(String(error)).toContain("config:3:48: 'participants[1].？': there is no such key");
  });

  it('with YAML itself, with an object, and with values given besides a file', async () => {
    const broken = await failureOf(parseTalkConfig('topic: [\nrounds: }\n'));
    expect(TalkError.isInstance(broken) && broken.context['issues']).toHaveLength(
      String(broken).split('\n').length,
    );
    expect(String(broken).split('\n').length).toBeGreaterThan(1);
    const participants = Array.from({ length: 30 }, () => ({ name: 'A' }));
    const many = await failureOf(checkTalkConfig({ participants }));
    expect(String(many)).toMatch(/^TalkError: 'topic': .*\n/);
    expect(String(many)).toMatch(/\nand 40 more$/);
    expect(TalkError.isInstance(many) && many.context['issues']).toHaveLength(60);
    const beside = parseTalkConfig(`${SMALL}max_turns: 1\n`, { overrides: { rounds: -1 } });
    const error = await failureOf(beside);
    expect(String(error)).toMatch(
      /'rounds': .* \(given in addition to config\)\nconfig:7:1: 'max_turns'/,
    );
  });
});

describe('a key that is not in the environment', () => {
  const config = `${SMALL.replaceAll('ollama', 'house')}providers:
  house: { baseURL: 'http://localhost:1/v1', apiKeyEnv: TALKTABLE_TEST_KEY }
  spare: { apiKeyEnv: TALKTABLE_OTHER_KEY }
`;

  it.each([undefined, ''])('is reported when the talk is opened: %j', async (value) => {
    vi.stubEnv('TALKTABLE_TEST_KEY', value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const folder = await temporaryFolder();
    const path = join(folder, 'talk.yaml');
    await writeFile(path, config);
    const error = await failureOf(ConversationManager.open(path));
    expect(error).toMatchObject({ code: 'config-invalid' });
    expect(String(error)).toBe(
      `TalkError: ${path}:8:57: 'providers.house.apiKeyEnv': the environment variable ` +
        "TALKTABLE_TEST_KEY is not set, and 'house:m' needs it",
    );
    expect(await readdir(folder)).toEqual(['talk.yaml']);
  });

  it('is not missed where it is set, or where models are made otherwise', async () => {
    const logPath = join(await temporaryFolder(), 'talk.db');
    const parsed = { ...(await parseTalkConfig(config)), logPath };
    const registry = createModelRegistry({ house: { baseURL: 'http://localhost:1/v1' } });
    expect(await openManager(parsed, { registry })).toBeDefined();
    vi.stubEnv('TALKTABLE_TEST_KEY', 'k');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await openManager(parsed)).toBeDefined();
  });
});

describe('a config as an object', () => {
  const base = twoAndMC();
  it.each<[Partial<TalkConfig>, string]>([
    [{ participants: base.participants.slice(0, 1) }, 'at least two participants'],
    [{ topic: ' \n' }, "'topic': it is empty"],
    [{ topic: 'a\ud800' }, 'broken characters'],
    [
      { participants: [...base.participants, { name: 'A', model: counting('x') }] },
      "'A' is the name",
    ],
    [
      { participants: [...base.participants, { name: 'C\n## 1. A', model: counting('x') }] },
      "'participants[2].name': it holds line breaks",
    ],
    [{ moderator: { name: 'M\u0007', model: counting('m') } }, "'moderator.name': it holds line"],
    [{ moderator: { model: 'nowhere:m' } }, "'moderator.model': there is no provider 'nowhere'"],
    [
      { participants: [{ name: 'x', model: 'llama' }, ...base.participants] },
      'write provider:model',
    ],
    [{ budget: { costUsd: 1 } }, "there is no price for 'A'"],
    [{ order: 'custom' }, 'needs the option nextSpeaker'],
  ])('that is wrong names the key: %#', async (more, problem) => {
    const error = await failureOf(openManager({ ...base, ...more }));
    expect(TalkError.isInstance(error) && error.code).toBe('config-invalid');
    expect(String(error)).toContain(problem);
  });

  it('is not changed', async () => {
    const before = JSON.stringify(base);
    await openManager(base, { overrides: { rounds: 1 } });
    expect(JSON.stringify(base)).toBe(before);
  });
});

describe('the JSON Schema of the package', () => {
  it('is that of the code, and takes and refuses what the code does', async () => {
    const text = await readFile(new URL('../../talk.schema.json', import.meta.url), 'utf8');
    const schema = JSON.parse(text) as Record<string, unknown>;
    expect(schema).toEqual(JSON.parse(JSON.stringify(talkJsonSchema())));
    const { safeParse } = z.fromJSONSchema(schema);
    const validate = (value: unknown): boolean => safeParse(value).success;
    expect(validate(parse(FULL))).toBe(true);
    expect(validate(parse(SMALL))).toBe(true);
    expect(validate(parse(`${SMALL}max_turns: 3`))).toBe(false);
    expect(validate(parse(SMALL.replace('ollama:m', '[1]')))).toBe(false);
    expect(validate(parse(`${SMALL}stop: { any: [{ rounds: x }] }`))).toBe(false);
  });
});

it('what the documents show is a config', async () => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const blocks = [...readme.matchAll(/```yaml\n([^`]*?)```/g)].map(([, text = '']) => text);
  expect(await parseTalkConfig(blocks[0] ?? '')).toMatchObject({ rounds: 3 });
  const path = new URL('../../../../examples/snippets/talk.yaml', import.meta.url);
  expect((await loadTalkConfig(path)).stop).toHaveLength(2);
});

it('a file is opened by its path', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'talk.yaml');
  await writeFile(path, `${SMALL}logPath: ${join(folder, 'logs/talk.db')}\n`);
  const manager = await ConversationManager.open(path);
  expect(await manager.conversations()).toEqual([]);
  await manager.close();
});

it.each<[string, string, string]>([
  [SMALL.replace('ollama:m\n  - ', 'nowhere:m\n  - '), '4:12', "there is no provider 'nowhere'"],
  [`${SMALL}order: custom\n`, '7:8', 'needs the option nextSpeaker'],
  [`${SMALL}budget: { costUsd: 1 }\n`, '7:20', "there is no price for 'm'"],
])(
  'what only shows with the models has its place in the file: %#',
  async (text, place, problem) => {
    const path = join(await temporaryFolder(), 'talk.yaml');
    await writeFile(path, text);
    const error = await failureOf(ConversationManager.open(path));
    expect(TalkError.isInstance(error) && error.code).toBe('config-invalid');
    expect(String(error)).toContain(`${path}:${place}: `);
    expect(String(error)).toContain(problem);
  },
);

describe('a package of the AI SDK', () => {
  it.each(['participant', 'moderator'])('of a %s is loaded by consent only', async (seat) => {
    const folder = await temporaryFolder();
    const path = join(folder, 'talk.yaml');
    const model = 'ai-sdk:eventemitter3:m';
    const text =
      seat === 'moderator'
        ? `${SMALL}moderator: { model: '${model}' }\n`
        : SMALL.replace('ollama:m', `'${model}'`);
    await writeFile(path, text);
    const error = await failureOf(ConversationManager.open(path));
    expect(error).toMatchObject({ code: 'untrusted' });
    expect(String(error)).toContain('the package eventemitter3 is loaded and run');
    expect(await readdir(folder)).toEqual(['talk.yaml']);
  });
});
