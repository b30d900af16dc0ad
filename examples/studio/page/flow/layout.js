/** @import { WireFlow } from '../wire/types.js' */

/** @typedef {{ lane: number, depth: number }} Place */

/**
 * Returns the place of each node: as deep as the longest way to it, and in the lane of the node it continues. A further branch
 * takes the next lane to the right that is free as far as the branch continues. The same flow always looks the same.
 *
 * @param {Pick<WireFlow, 'nodes' | 'connections'>} flow
 * @returns {Map<string, Place>}
 */
export function placesOf({ nodes, connections }) {
  const ids = nodes.map(({ id }) => id);
  /** @type {Map<string, string[]>} */
  const children = new Map(ids.map((id) => [id, []]));
  const waiting = new Map(ids.map((id) => [id, 0]));
  for (const { from, to } of connections) {
    children.get(from)?.push(to);
    waiting.set(to, (waiting.get(to) ?? 0) + 1);
  }
  const depths = new Map(ids.map((id) => [id, 0]));
  /** @type {Map<string, Place>} */
  const places = new Map();
  /** The nodes by their spots, present or future: `lane/depth`. @type {Map<string, string>} */
  const spots = new Map();

  /** Returns a node and what continues from it first, and first from that. @param {string} id */
  function lineFrom(id) {
    const line = [];
    for (let at = /** @type {string | undefined} */ (id); at !== undefined;) {
      if (places.has(at)) break;
      line.push(at);
      at = children.get(at)?.[0];
    }
    return line;
  }

  /**
   * Returns the first lane from `least` on in which a line has room; it is kept for it.
   *
   * @param {string} id
   * @param {number} least
   */
  function takeLane(id, least) {
    const depth = depths.get(id) ?? 0;
    const line = lineFrom(id);
    let lane = least;
    while (line.some((_, at) => spots.has(`${lane}/${depth + at}`))) lane++;
    for (const [at, one] of line.entries()) spots.set(`${lane}/${depth + at}`, one);
    return lane;
  }

  /** The lane in which a node continues; of a merge, that of the leftmost line. @type {Map<string, number>} */
  const wishes = new Map();
  // Depth first, so that a branch is drawn to its end before the next one takes a lane.
  const ready = ids.filter((id) => waiting.get(id) === 0).toReversed();
  for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
    const depth = depths.get(id) ?? 0;
    const wish = wishes.get(id) ?? 0;
    const isKept = spots.get(`${wish}/${depth}`) === id;
    const lane = isKept ? wish : takeLane(id, wish);
    places.set(id, { lane, depth });
    const next = [];
    for (const [at, child] of (children.get(id) ?? []).entries()) {
      depths.set(child, Math.max(depths.get(child) ?? 0, depth + 1));
      waiting.set(child, (waiting.get(child) ?? 0) - 1);
      const beside = at === 0 ? lane : lane + 1;
      wishes.set(child, Math.min(wishes.get(child) ?? beside, beside));
      if (waiting.get(child) === 0) next.push(child);
    }
    ready.push(...next.toReversed());
  }
  // Circles cannot be saved; should one come by hand, its nodes are at the top.
  for (const id of ids) if (!places.has(id)) places.set(id, { lane: takeLane(id, 0), depth: 0 });
  return places;
}
