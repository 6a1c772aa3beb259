export { conversationCopy, type ConversationCopy } from './copy.reads.ts';
export { hideMessage, messageAt, showMessage } from './hide.ts';
export { meetingsData } from './meetings.ts';
export { messagesData } from './reads.ts';
