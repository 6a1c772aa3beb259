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
export { messagePrefix, selfiePrefix } from './storage/storage.ts';
export { noteReading } from './decide.ts';
export { labelsOf } from './compare.ts';
export { forgetImageHash, imageBands, makePicture, refuseRemoved, rememberImageHash } from './image.ts';
export { pictureModerator } from './jobs.ts';
export { keepPicture } from './upload.ts';
export { keepVoice } from './voice.ts';
export { pendingPictures, waitingPictures } from './queue.reads.ts';
export { loosePictures } from './reads.ts';
