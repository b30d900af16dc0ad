// oxlint-disable-next-line import/default -- its types say `export =`
import type create from 'cytoscape';

declare global {
  /** What `/vendor/cytoscape.js` brings. */
  const cytoscape: typeof create;
}
