import { runTool } from '../frame/run-tool.ts';
import { talktable } from './tool.ts';

await runTool(talktable);
