/** The AsyncAPI document. */
export function asyncApiDocument(): object {
  return {};
}
