export { keepBytesFor, newHandle, noteBytes } from './pictures.ts';
export { imageBands } from './image.ts';
export { loosePictures } from './reads.ts';
