import type { ChatWarning } from '../models/events.ts';
import type { Message, Role } from '../models/message.ts';

/** A warning for the files in messages of roles that a server takes none from. */
export function unsentFiles(messages: readonly Message[], roles: readonly Role[]): ChatWarning[] {
  return roles.flatMap((role) => {
    const files = messages
      .filter((message) => message.role === role)
      .flatMap(({ parts }) => parts.filter(({ type }) => type === 'file'));
    if (files.length === 0) return [];
    return [
      { field: 'messages', message: `${files.length} files in ${role} messages were left out` },
    ];
  });
}
