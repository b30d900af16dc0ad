import type { Table } from '../page/table.ts';

export const websocketTables: readonly Table[] = [
  {
    name: 'websocket',
    rows: [
      { name: 'deliveries_per_s', what: 'messages that came, all clients together' },
      { name: 'deliveries_per_s_bare_ws', what: 'by `ws` alone' },
      { name: 'deliveries_ratio_to_bare_ws', what: 'of the two, round by round' },
      {
        name: 'latency_p95_ms',
        what: 'from before the node is made until a client has the event',
        unit: 'ms',
      },
      { name: 'latency_p95_ms_bare_ws', what: 'by `ws` alone', unit: 'ms' },
      {
        name: 'server_cpu_ratio_to_bare_ws',
        what: 'processor time of the server, the making of the nodes included',
      },
      { name: 'server_grown_mb', what: 'by how much its memory grew at most', unit: 'MB' },
      { name: 'server_grown_mb_bare_ws', what: 'by `ws` alone', unit: 'MB' },
    ],
  },
];
