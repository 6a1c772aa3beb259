export { keepBytesFor, newHandle, noteBytes, putBackPicture, removePicture } from './pictures.ts';
export { imageBands } from './image.ts';
export { loosePictures } from './reads.ts';
