// oxlint-disable-next-line import/default -- its types say `export =`
import type create from 'cytoscape';

declare global {
  /** The exports of `/vendor/cytoscape.js`. */
  const cytoscape: typeof create;
}
