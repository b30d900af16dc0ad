/** The keys of all levels, for hints. */
const KEYS =
  'topic participants moderator language order rounds maxTurns stop intervalMs retries timeout budget prices logPath context knowledge providers name model person persona temperature maxOutputTokens contextTokens visibleTo every opening closing instructions totalMs firstByteMs idleMs tokens costUsd turns passages baseURL apiKeyEnv'.split(
    ' ',
  );

/** The key that somebody who wrote this one had in mind, such as `maxTurns` for `max_turns`. */
export function nearestKey(key: string): string | undefined {
  const plain = plainOf(key);
  const isNear = (known: string): boolean => {
    const other = plainOf(known);
    return (
      other === plain || other === `${plain}ms` || other === `${plain}s` || `${other}s` === plain
    );
  };
  return KEYS.find(isNear);
}

function plainOf(key: string): string {
  return key.toLowerCase().replaceAll(/[^a-z]/g, '');
}
