export {
  isOnProfile,
  keepBytes,
  keepBytesFor,
  lockPictures,
  newHandle,
  noteBytes,
  type PictureRow,
  profilePlace,
  putBackPicture,
  removePicture,
  selfieKey,
  sweepBytes,
} from './pictures.ts';
export { selfiePrefix } from './storage/storage.ts';
export { noteReading } from './decide.ts';
export { imageBands, makePicture } from './image.ts';
export { pendingPictures } from './queue.reads.ts';
export { loosePictures } from './reads.ts';
