/** A test for keys: `*` stands for any characters, everything else for itself. Takes linear time. */
export function compileKeyPattern(pattern: string): (key: string) => boolean {
  const [head = '', ...parts] = pattern.split('*');
  const tail = parts.pop();
  if (tail === undefined) return (key) => key === pattern;
  return (key) => {
    if (!key.startsWith(head) || !key.endsWith(tail)) return false;
    let at = head.length;
    for (const part of parts) {
      const found = key.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return at + tail.length <= key.length;
  };
}
