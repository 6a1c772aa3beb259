export { messagesData } from './messages.takeout.reads.ts';
