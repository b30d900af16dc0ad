import { testFlows } from './flows-suite.ts';
import { openOnSqlite } from './support.ts';

testFlows('on SQLite', openOnSqlite);
