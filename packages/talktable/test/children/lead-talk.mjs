// Leads a talk from the built package, and dies at the given point:
//   node lead-talk.mjs '{"logPath", "url", "conversationId", "resume", "dieAt": {"point", "number"}}'
// With "say" it only says something; "person" takes part, and is not waited for if it is "pauseFor".
import { createModelRegistry } from '@vizprompt/providers/registry';
import { ConversationManager } from '@vizprompt/talktable';

const job = JSON.parse(process.argv[2] ?? '{}');
const { logPath, url, conversationId, dieAt = {} } = job;

function reach(point, number) {
  if (dieAt.point === point && dieAt.number === number) process.kill(process.pid, 'SIGKILL');
}

let asked = 0;
const registry = createModelRegistry({ openai: { baseURL: `${url}/v1`, apiKey: 'k' } });
const name = (model) => ({
  ...model,
  // The answer of a model is whole, and no row holds it yet.
  async *stream(request) {
    const number = asked++;
    reach('before-call', number);
    for await (const event of model.stream(request)) {
      if (event.type === 'finish') reach('answered', number);
      yield event;
    }
  },
});
const model = name(registry.model('openai:m'));
try {
  const manager = await ConversationManager.open(
    {
      topic: 't',
      participants: [
        { name: 'A', model },
        { name: 'B', model },
        ...(job.person ? [{ name: job.person, person: true }] : []),
      ],
      moderator: { model },
      rounds: job.rounds ?? 1,
      logPath,
    },
    {
      recorders: [
        {
          specVersion: 1,
          record: async ({ id, status }) => {
            if (status === 'pending') reach('row-written', Number(id));
            if (status === 'done') reach('row-finished', Number(id));
          },
        },
      ],
      knowledge: {
        specVersion: 1,
        async retrieve() {
          reach('before-row', asked);
          return [];
        },
      },
    },
  );
  manager.on('turn:delta', ({ number }) => reach('delta', number));
  manager.on('turn:awaited', ({ speaker }) => {
    if (speaker === job.pauseFor) void manager.pause();
  });
  if (job.say) {
    const { text, ...options } = job.say;
    await manager.say(text, { conversationId, ...options });
    await manager.close();
    console.log(JSON.stringify({ said: true }));
    process.exit();
  }
  const run = job.resume ? manager.resume(conversationId) : manager.start({ conversationId });
  const result = await run.result();
  await manager.close();
  console.log(JSON.stringify(result));
} catch (error) {
  console.log(JSON.stringify({ code: error.code, message: error.message }));
  process.exitCode = 1;
}
