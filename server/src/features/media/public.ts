export { mediaMails } from './mails.ts';
export { loosePictures } from './reads.ts';
