import { testLargeRuns } from '../../support/engine/large-runs.ts';

testLargeRuns(1);
