import { testAgain } from '../../support/engine/again-suite.ts';
import { testAgents } from '../../support/engine/agents-suite.ts';
import { testFlows } from '../../support/engine/flows-suite.ts';
import { testResume } from '../../support/engine/resume-suite.ts';
import { testParallel } from '../../support/engine/parallel-suite.ts';
import { testSteps } from '../../support/engine/steps-suite.ts';
import { openOnSqlite, sharedSqlite } from '../../support/engine/open-engine.ts';

testFlows('on SQLite', openOnSqlite);
testAgents('on SQLite', openOnSqlite);
testParallel('on SQLite', openOnSqlite);
testSteps('on SQLite', openOnSqlite);
testAgain('on SQLite', openOnSqlite);
testResume('on SQLite', sharedSqlite);
