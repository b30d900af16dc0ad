/** Expressions of a language: calls, members, generics, templates. */
export function isCode(value: string): boolean {
  return hasSignOfCode(value) && CODE.test(value);
}

const CODE =
  /^[A-Za-z_$][\w$]*(?:\.|->|::|\?\.)[A-Za-z_$]|\w\(|^[A-Za-z_$][\w$]*\[|=>|^[!&*(]+[A-Za-z_][\w.]*[()]*$|\|\||&&|\)$|[;{}]$/;

/** Most values have none of the signs that all expressions have. */
function hasSignOfCode(value: string): boolean {
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if (code < 128 && SIGNS_OF_CODE[code] === 1) return true;
  }
  return value.includes('::');
}

const SIGNS_OF_CODE = Uint8Array.from({ length: 128 }, (_, code) =>
  /[.>()[|&;{}]/.test(String.fromCharCode(code)) ? 1 : 0,
);
