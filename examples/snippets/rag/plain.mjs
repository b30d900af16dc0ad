// #region plain
import { SegmentBackend } from '@vizprompt/rag';

const backend = await SegmentBackend.open({ folder: './index' });
try {
  console.log(await backend.stats());
} finally {
  await backend.close();
}
// #endregion plain
