/** First line of the plugin, by which its file is recognized. */
const HEAD =
  "// The memory's plugin for opencode, written by `ptta setup opencode`; `--undo` deletes it.";

/** The commands of opencode: `/recall`, `/save` and `/forget`. */
const COMMANDS = {
  recall: {
    description: 'Recall what past sessions say about something',
    template:
      'Recall what past sessions of this repository say about: $ARGUMENTS\n\nCall the tool ptta_recall with that as the query, then ptta_search for what is missing. Answer in a few sentences, and cite the ids of events.',
  },
  save: {
    description: 'Store something for later sessions',
    template:
      'Store this for later sessions, word for word: $ARGUMENTS\n\nCall the tool ptta_log with the type user_message; if no session runs, call ptta_session_start first. Then say in a line that it is stored.',
  },
  forget: {
    description: 'Forget something for good',
    template:
      'Forget this for good: $ARGUMENTS\n\nFind it with the tool ptta_search. Call ptta_forget with the ids of all events that say it, show me what it lists, and call it again with confirm only after I have agreed.',
  },
};

/** Checks whether a file is the plugin, of any version. */
export function isOpencodePlugin(text: string): boolean {
  return text.startsWith(HEAD);
}

/**
 * Returns the plugin of opencode. It runs the command for each event, and does not let the agent wait, except at the
 * beginning of a session, where the command prints what is known of past ones, and at the end of the program.
 */
export function opencodePlugin(command: string): string {
  const mcp = command.replace(' hook --agent opencode', ' mcp');
  return `${HEAD}
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';

const COMMAND = ${JSON.stringify(command)};
const SERVER = ${JSON.stringify(mcp === command ? null : mcp)};
const SHELL = process.platform === 'win32' ? ['cmd', '/c'] : ['sh', '-c'];
const PATIENCE_MS = 10_000;

/** Commands for users, by name; what is set up already comes first. */
const COMMANDS = ${JSON.stringify(COMMANDS, null, 2)};

/** Passes an event to the memory, and returns what it prints. */
function notify(input, cwd) {
  return new Promise((done) => {
    let text = '';
    const stdio = ['pipe', 'pipe', 'ignore'];
    const child = spawn(COMMAND, { shell: true, stdio, cwd, timeout: PATIENCE_MS });
    child.on('error', () => done(''));
    child.on('close', () => done(text));
    child.stdout.on('data', (part) => (text += part));
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify({ cwd, ...input }));
  });
}

/** An id in the form of the program's own, which sorts after those before. */
function partId() {
  const time = (BigInt(Date.now()) * 0x1000n + 0xfffn).toString(16).padStart(12, '0').slice(-12);
  return \`prt_\${time}\${randomBytes(7).toString('hex')}\`;
}

export const Ptta = async ({ client, directory }) => {
  /** Calls that run, and events that wait for them, by session. */
  const running = new Map();
  const waiting = new Map();
  const compacted = new Set();

  const record = (session, event) => {
    waiting.set(session, event);
    if (!running.has(session)) running.set(session, work(session));
  };
  const work = async (session) => {
    for (let event; (event = waiting.get(session)) !== undefined; ) {
      waiting.delete(session);
      await notify({ hook_event_name: event, session_id: session }, directory);
    }
    running.delete(session);
  };
  /** How the session begins, if it does so with this message. */
  const sourceOf = async (session, message) => {
    if (compacted.delete(session)) return 'compact';
    const path = { id: session };
    const { data: info } = await client.session.get({ path });
    const { data: messages } = await client.session.messages({ path });
    // A subagent gets its task from the session that it belongs to.
    if (info === undefined || info.parentID) return undefined;
    return (messages ?? []).some(({ info: { id } }) => id !== message) ? undefined : 'startup';
  };

  return {
    config: async (config) => {
      if (SERVER === null) return;
      const ptta = { type: 'local', command: [...SHELL, SERVER], enabled: true };
      config.mcp = { ptta, ...config.mcp };
      config.command = { ...COMMANDS, ...config.command };
    },
    event: async ({ event: { type, properties } }) => {
      const part = properties?.part;
      const session = properties?.sessionID ?? part?.sessionID;
      if (typeof session !== 'string') return;
      const isDone = /^(?:completed|error)$/.test(part?.state?.status ?? '');
      if (type === 'message.part.updated' && part?.type === 'tool' && isDone) record(session, 'PostToolUse');
      else if (type === 'session.idle') record(session, 'Stop');
      else if (type === 'session.compacted') {
        compacted.add(session);
        record(session, 'PostCompact');
      }
    },
    'chat.message': async ({ sessionID }, { message, parts }) => {
      const source = await sourceOf(sessionID, message.id).catch(() => undefined);
      if (source === undefined) return;
      const input = { hook_event_name: 'SessionStart', session_id: sessionID, source };
      const text = await notify(input, directory);
      if (text === '') return;
      const ids = { id: partId(), sessionID, messageID: message.id };
      parts.push({ ...ids, type: 'text', text, synthetic: true });
    },
    dispose: async () => {
      await Promise.all(running.values());
    },
  };
};
`;
}
