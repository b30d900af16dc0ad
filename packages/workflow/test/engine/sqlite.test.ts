import { testAgents } from './agents-suite.ts';
import { testFlows } from './flows-suite.ts';
import { testSteps } from './steps-suite.ts';
import { openOnSqlite } from './support.ts';

testFlows('on SQLite', openOnSqlite);
testAgents('on SQLite', openOnSqlite);
testSteps('on SQLite', openOnSqlite);
