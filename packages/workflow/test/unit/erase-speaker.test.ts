import { type JsonValue, type Storage } from '@vizprompt/providers';
import { openStorage } from '@vizprompt/providers/node';
import { scriptedModel } from '@vizprompt/providers/testing';
import { eraseSpeaker, WorkflowEngine, type WorkflowFile } from '@vizprompt/workflow';
import { describe, expect, it } from 'vitest';
import { ERASED } from '@vizprompt/providers/internal';
import { findWords } from '../../../providers/test/support/find-words.ts';
import { temporaryFolder } from '../support/engine/open-engine.ts';

const WORDS = ['zyzzyvaword', '蜜柑畑の秘密', 'quokka-4711'];
const SAID = `The ${WORDS[0]} is "${WORDS[2]}".\n${WORDS[1]}は北にある。`;

const FILE: WorkflowFile = {
  workflows: {
    ask: {
      steps: [
        {
          id: 'question',
          type: 'human',
          prompt_id: 'ask_person',
          output_variable: 'answer',
        },
        {
          id: 'reply',
          type: 'agent_interaction',
          agent_id: 'writer',
          prompt_id: 'reply',
          input_variables: { answer: 'answer' },
          output_variable: 'text',
        },
        {
          id: 'keep',
          type: 'function',
          function: 'keep',
          input_variables: { text: 'text', answer: 'answer' },
        },
      ],
    },
  },
  use: { models: { m: 'scripted:m' } },
  agent_roles: { writer: { system_prompt: 'You write.', model: 'm' } },
  prompts: { ask_person: 'What do you think?', reply: 'They said: {{ answer }}' },
};

async function engineOn(storage: Storage): Promise<WorkflowEngine> {
  return WorkflowEngine.open({
    files: FILE,
    storage,
    models: {
      'scripted:m': scriptedModel(
        (request) => `I read ${JSON.stringify(request.messages)} and agree.`,
      ),
    },
    functions: {
      keep: (input) => ({
        ...input,
        votes: { [SAID]: 1 },
        turns: [
          { speaker: 'Alice', text: 'uncommonphrase' },
          { speaker: 'Bob', text: 'other' },
        ],
      }),
    },
  });
}

async function runOn(storage: Storage, answer: JsonValue): Promise<string> {
  await using engine = await engineOn(storage);
  const run = await engine.start('ask', 'go', { runId: 'run-1' });
  await expect.poll(async () => (await engine.run('run-1')).waiting.length).toBe(1);
  await engine.answer('run-1', answer);
  await run.result;
  return run.id;
}

describe('eraseSpeaker of a journal', () => {
  it.each([
    ['a text', SAID],
    ['JSON', { note: SAID, more: [SAID], n: 4711 }],
  ])('leaves no byte of the answer of a person, %s', async (_, answer) => {
    const folder = await temporaryFolder();
    await using storage = await openStorage(folder);
    const id = await runOn(storage, answer);
    expect(findWords(folder, WORDS)).not.toEqual([]);
    const planned = await eraseSpeaker(storage, { speaker: 'Person', dryRun: true });
    expect(findWords(folder, WORDS)).not.toEqual([]);
    const report = await eraseSpeaker(storage, { speaker: 'Person' });
    expect(report.erased).toEqual(planned.erased);
    expect(findWords(folder, WORDS)).toEqual([]);
    expect(report.erased).toContainEqual({ place: 'answers', count: 1 });
    await using engine = await engineOn(storage);
    const state = await engine.run(id);
    expect(state.status).toBe('done');
    expect(state.steps.map(({ stepId }) => stepId)).toEqual(['question', 'reply', 'keep']);
    expect(JSON.stringify(state.steps[1]?.output)).toContain('and agree');
    expect(state.steps[0]?.output).toEqual(
      typeof answer === 'string' ? ERASED : { note: ERASED, more: [ERASED], n: 0 },
    );
    expect((await eraseSpeaker(storage, { speaker: 'person' })).erased).toEqual([]);
  });

  it('erases short answers where they are the whole text, in their run', async () => {
    const folder = await temporaryFolder();
    await using storage = await openStorage(folder);
    const id = await runOn(storage, 'はい');
    await eraseSpeaker(storage, { speaker: 'person' });
    await using engine = await engineOn(storage);
    const { variables } = await engine.run(id);
    expect(variables['answer']).toBe(ERASED);
  });

  it('erases what an agent said, and objects that name the speaker', async () => {
    const folder = await temporaryFolder();
    await using storage = await openStorage(folder);
    const id = await runOn(storage, 'a plain answer');
    await eraseSpeaker(storage, { speaker: 'Alice' });
    expect(findWords(folder, ['uncommonphrase', 'Alice'])).toEqual(findWords(folder, ['Alice']));
    await eraseSpeaker(storage, { speaker: 'writer' });
    expect(findWords(folder, ['and agree'])).toEqual([]);
    await using engine = await engineOn(storage);
    expect(JSON.stringify((await engine.run(id)).output)).toContain('other');
  });

  it('leaves runs alone that are led, and erases them when the engine has let go', async () => {
    const folder = await temporaryFolder();
    await using storage = await openStorage(folder);
    const engine = await engineOn(storage);
    await engine.start('ask', { speaker: 'Alice', text: SAID }, { runId: 'led' });
    await expect.poll(async () => (await engine.run('led')).waiting.length).toBe(1);
    await expect(eraseSpeaker(storage, { speaker: 'Alice' })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(findWords(folder, WORDS)).not.toEqual([]);
    await engine.close();
    await eraseSpeaker(storage, { speaker: 'Alice' });
    expect(findWords(folder, WORDS)).toEqual([]);
    await using later = await engineOn(storage);
    const run = await later.resume('led');
    await later.answer('led', 'fine');
    expect((await run.result).output).toBeDefined();
  });

  it('is finished by the next call wherever it was stopped', async () => {
    const folder = await temporaryFolder();
    await using storage = await openStorage(folder);
    await runOn(storage, SAID);
    for (let stops = 0, isOver = false; !isOver; stops++) {
      const controller = new AbortController();
      const { signal } = controller;
      let asked = 0;
      signal.throwIfAborted = () => {
        if (asked++ < stops) return;
        controller.abort(new Error('enough'));
        throw signal.reason;
      };
      isOver = await eraseSpeaker(storage, { speaker: 'person', signal }).then(
        () => true,
        (error: unknown) => {
          expect(error).toBe(signal.reason);
          return false;
        },
      );
    }
    expect(findWords(folder, WORDS)).toEqual([]);
  });

  it('refuses a name without letters, and options that it does not have', async () => {
    await using storage = await openStorage(await temporaryFolder());
    await expect(eraseSpeaker(storage, { speaker: '' })).rejects.toMatchObject({
      code: 'invalid-input',
    });
    const wrong = { speaker: 'A', user: 'A' };
    await expect(eraseSpeaker(storage, wrong)).rejects.toMatchObject({ code: 'invalid-input' });
  });
});
