export { loosePictures } from './reads.ts';
