import { fileURLToPath } from 'node:url';
import { startFakeLLM } from '@vizprompt/providers/testing';
import { expect, inject, it, onTestFinished } from 'vitest';
import { Program } from '../support/program.ts';

it('the two programs of the README do a run together', async () => {
  const llm = await startFakeLLM({ answer: () => 'A cat wrote this.' });
  onTestFinished(() => llm.close());
  const cwd = fileURLToPath(new URL('../../snippets', import.meta.url));
  const worker = new Program('snippets/workflow-worker.ts', {
    cwd,
    env: { DATABASE_URL: inject('databaseUrl'), OLLAMA_HOST: llm.url },
  });
  const submit = new Program('snippets/workflow-submit.ts', {
    cwd,
    env: { DATABASE_URL: inject('databaseUrl') },
  });
  await submit.said(/(?:A cat wrote this\.\s*){3}/);
  expect((await submit.ended).code).toBe(0);
  worker.child.kill('SIGTERM');
  expect((await worker.ended).code).toBe(0);
  expect(worker.output).toBe('');
});
