export { mediaMails } from './media.mails.ts';
