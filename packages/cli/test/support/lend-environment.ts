/** The variables that packages read from the process themselves: no option of theirs passes them on. */
const NAMES = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_BASE_URL',
  'CLAUDE_CONFIG_DIR',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'HOME',
  'OLLAMA_API_KEY',
  'OLLAMA_HOST',
  'OPENAI_API_KEY',
  'TZ',
  'USERPROFILE',
  'VIZPROMPT_LOG',
  'XDG_CACHE_HOME',
];

const OWN = new Map(NAMES.map((name) => [name, process.env[name]]));
let borrowers = 0;

/**
 * Gives the packages of this process the variables of a command until it has ended. Commands that run at the
 * same time must agree on them.
 */
export function lendEnvironment(env: Readonly<Record<string, string | undefined>>): Disposable {
  borrowers += 1;
  for (const name of NAMES) set(name, env[name]);
  return {
    [Symbol.dispose]() {
      borrowers -= 1;
      if (borrowers === 0) for (const [name, value] of OWN) set(name, value);
    },
  };
}

function set(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}
