export { keepBytesFor, newHandle, noteBytes } from './pictures.ts';
export { loosePictures } from './reads.ts';
