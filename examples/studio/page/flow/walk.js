/** @import { WireFlow } from '../wire/types.js' */

/**
 * Where an arrow key leads: up and down along the conversation, left and right among what continues from the same
 * node.
 *
 * @param {WireFlow} flow
 * @param {string} id
 * @param {string} key - Of a keyboard event.
 * @returns {string | undefined} Nothing if there is nothing there.
 */
export function neighbour({ nodes, connections }, id, key) {
  const parent = connections.find(({ to }) => to === id)?.from;
  if (key === 'ArrowUp') return parent;
  if (key === 'ArrowDown') return connections.find(({ from }) => from === id)?.to;
  const siblings =
    parent === undefined
      ? nodes.map((node) => node.id).filter((one) => !connections.some(({ to }) => to === one))
      : connections.filter(({ from }) => from === parent).map(({ to }) => to);
  const step = key === 'ArrowRight' ? 1 : -1;
  return siblings[siblings.indexOf(id) + step];
}
