import { testAgain } from './again-suite.ts';
import { testAgents } from './agents-suite.ts';
import { testFlows } from './flows-suite.ts';
import { testResume } from './resume-suite.ts';
import { testParallel } from './parallel-suite.ts';
import { testSteps } from './steps-suite.ts';
import { openOnSqlite, sharedSqlite } from '../../support/engine/support.ts';

testFlows('on SQLite', openOnSqlite);
testAgents('on SQLite', openOnSqlite);
testParallel('on SQLite', openOnSqlite);
testSteps('on SQLite', openOnSqlite);
testAgain('on SQLite', openOnSqlite);
testResume('on SQLite', sharedSqlite);
