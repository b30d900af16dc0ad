const KEY = 'studio-token';

/**
 * Returns the token that both servers ask for. It comes after the `#` of the address, which browsers keep to
 * themselves, is removed from it, and lasts as long as the tab.
 */
export function takeToken() {
  const given = /^#token=([\w-]+)$/.exec(location.hash)?.[1];
  if (given === undefined) return sessionStorage.getItem(KEY) ?? '';
  sessionStorage.setItem(KEY, given);
  history.replaceState(null, '', '#/');
  return given;
}
