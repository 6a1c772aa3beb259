export { mediaMails } from './media.mails.ts';
export { loosePictures } from './media.reads.ts';
