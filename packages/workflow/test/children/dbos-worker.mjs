// A worker on DBOS, from the built package, whose models, functions and so on are those of its parent:
//   { open: options }, { close: true }  ->  { opened: id } or { failed: error }, { closed: true }
import { LLMError, collectChat } from '@vizprompt/providers';
import { runWorker } from '@vizprompt/workflow/dbos';

let worker;
let calls = 0;
const waiting = new Map();

process.on('message', (message) => void hear(message));
process.on('disconnect', () => process.exit());

async function hear(message) {
  if (message.open) {
    try {
      await worker?.close();
      worker = await runWorker(optionsOf(message.open));
      send({ opened: worker.id });
    } catch (error) {
      send({ failed: { message: error.message, stack: error.stack } });
    }
  } else if (message.close) {
    await worker?.close();
    worker = undefined;
    send({ closed: true });
  } else waiting.get(message.id)?.(message);
}

function send(message) {
  if (process.connected) process.send(message);
}

function optionsOf({ models, functions, tools, retrievers, activities, ...rest }) {
  const named = (names, make) => Object.fromEntries(names.map((name) => [name, make(name)]));
  return {
    ...rest,
    ...(process.env.WORKER_LOG && {
      logger: { trace() {}, debug: log, info: log, warn: log, error: log },
    }),
    ...(models && { models: named(Object.keys(models), (name) => modelOf(name, models[name])) }),
    functions: named(
      functions,
      (name) =>
        (input, { signal, ...context }) =>
          ask({ kind: 'function', name, input, context }, signal),
    ),
    tools: tools.map((name) => ({
      name,
      describe: () => ask({ kind: 'describe', name }),
      run: (input, { signal, ...context }) => ask({ kind: 'tool', name, input, context }, signal),
    })),
    retrievers: named(retrievers, (name) => ({
      specVersion: 1,
      retrieve: (input, { signal, ...context } = {}) =>
        ask({ kind: 'retriever', name, input, context }, signal),
    })),
    activities: activities.map((activity) => ({
      ...activity,
      run: (input, { key, signal, emit }) =>
        ask({ kind: 'activity', name: activity.name, input, context: { key } }, signal, (event) =>
          emit(event.name, event.payload),
        ),
    })),
  };
}

function modelOf(name, facts) {
  async function* stream({ signal, ...request }) {
    const events = [];
    let wake = () => undefined;
    let end;
    const asked = ask({ kind: 'model', name, input: request }, signal, (event) => {
      events.push(event);
      wake();
    });
    const over = (how) => {
      end = how;
      wake();
    };
    asked.then(
      () => over({}),
      (error) => over({ error }),
    );
    for (;;) {
      while (events.length > 0) yield events.shift();
      if (end?.error) throw end.error;
      if (end) return;
      await new Promise((resolve) => (wake = resolve));
    }
  }
  return { specVersion: 1, ...facts, stream, generate: (request) => collectChat(stream(request)) };
}

function ask(call, signal, onEvent) {
  const id = ++calls;
  return new Promise((resolve, reject) => {
    const onAbort = () => send({ abort: id });
    waiting.set(id, (message) => {
      if ('event' in message) {
        onEvent(message.event);
        return;
      }
      waiting.delete(id);
      signal?.removeEventListener('abort', onAbort);
      if (message.error) reject(errorOf(message.error));
      else resolve(message.value);
    });
    send({ call: { id, ...call } });
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
}

function errorOf({ name, code, message, details }) {
  if (name === 'LLMError') return new LLMError(code, message, details);
  const error = new Error(message);
  error.name = name;
  if (code !== undefined) error.code = code;
  return error;
}

function log(...args) {
  console.error(new Date().toISOString().slice(17), process.pid, ...args);
}
