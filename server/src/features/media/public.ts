export { keepBytesFor, newHandle, noteBytes, putBackPicture, removePicture } from './pictures.ts';
export { imageBands } from './image.ts';
export { pendingPictures } from './queue.reads.ts';
export { loosePictures } from './reads.ts';
