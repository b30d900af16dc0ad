import { testFlows } from './flows-suite.ts';
import { openOnPostgres } from './support.ts';

testFlows('on PostgreSQL', openOnPostgres);
